// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's own symbol table, kallsyms: out of its image, or from /proc/kallsyms.
//
// An image has no ELF symbols, but kallsyms is among its data, compressed. Nothing
// says where; its tables have so much structure that they are found by it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "debuginfo/elf_image.h"

struct KernelSymbol {
  std::string name;
  char type;         // as nm says it: 't' a function, 'T' a global one
  uint64_t address;  // 0 when the reader may not know
};

// Every symbol, in the order of the table (by address). False with `error` set when none is found.
bool read_kallsyms(const ElfImage &kernel, std::vector<KernelSymbol> &symbols, std::string &error);
// The text of /proc/kallsyms, without the modules' symbols.
std::vector<KernelSymbol> parse_proc_kallsyms(std::string_view text);

// The kernel's functions, packed so that a file of them can be used as it is: found by name.
class FunctionTable {
 public:
  struct Entry {
    uint32_t name;     // in the strings that follow the entries
    uint32_t offset;   // from _stext; no_offset when not known
    uint16_t refusal;  // why it can't be probed: 0, or a number for refusal()
    uint8_t is_global, is_exported;
  };
  static constexpr uint32_t no_offset = UINT32_MAX;
  // Packs the functions among the symbols. `image`, which may be null, has the list of functions that can't be probed.
  static std::string pack(const std::vector<KernelSymbol> &symbols, const ElfImage *image);
  // Uses packed bytes, which must stay; false when they are damaged.
  bool open(std::string_view packed);
  size_t size() const { return count_; }
  const Entry *begin() const { return entries_; }
  const Entry *end() const { return entries_ + count_; }
  std::string_view name(const Entry &e) const;
  // The entries with this name, or, as "foo.", with a name that begins so.
  std::pair<const Entry *, const Entry *> find(std::string_view wanted) const;
  static const char *refusal(unsigned number);  // null: it can be probed

 private:
  const Entry *entries_ = nullptr;
  size_t count_ = 0;
  std::string_view strings_;
};
