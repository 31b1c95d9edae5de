// SPDX-License-Identifier: GPL-2.0-or-later
// Areas of the text of the kernel and its modules: what their linker scripts and tables say of a function's place.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <vector>

// Kept in files as a number: a new area comes last, and changes the versions of those files' formats.
enum class TextArea : uint8_t {
  Ordinary,
  Init,         // .init.text, which is freed once the kernel or the module is up
  Exit,         // .exit.text
  Noinstr,      // .noinstr.text
  Kprobes,      // .kprobes.text
  Entry,        // .entry.text
  CpuIdle,      // .cpuidle.text
  Blacklisted,  // in none of these areas, but in the kernel's table of addresses _kprobe_blacklist
};

// The area that a section's name tells; Ordinary for any other section.
TextArea area_of_section(std::string_view section);

// The areas of the kernel itself. Its sections have been merged by the linker, which left symbols where they began and
// ended.
class KernelAreas {
 public:
  // Is it a symbol that read() asks for?
  static bool needs_symbol(std::string_view symbol);
  // `address_of` gives a symbol's address, 0 when there is none; `memory` gives the bytes that the file holds for an
  // address range, none when it does not hold all of them.
  void read(const std::function<uint64_t(std::string_view symbol)> &address_of,
            const std::function<std::string_view(uint64_t address, uint64_t size)> &memory);
  // Ordinary when nothing was read.
  TextArea at(uint64_t address) const;
  // Is it the address of a function in the table of blacklisted ones?
  bool is_blacklisted(uint64_t address) const { return blacklist_.count(address); }

 private:
  struct Range {
    uint64_t start, end;
    TextArea area;
  };
  std::vector<Range> ranges_;
  std::unordered_set<uint64_t> blacklist_;
};
