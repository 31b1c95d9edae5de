// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's own symbol table, kallsyms: out of its image, or from /proc/kallsyms.
//
// An image has no ELF symbols, but kallsyms is among its data, compressed. Nothing
// says where it lies: it is found by the structure that its tables are known to have.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "debuginfo/elf_image.h"
#include "debuginfo/text_area.h"

struct KernelSymbol {
  std::string name;
  char type;         // nm's letter: 't' for a function, 'T' for a global one
  uint64_t address;  // 0 when the kernel hides it from this user
};

// Every symbol, in the order of the table (by address). Empty when the table is not found.
std::vector<KernelSymbol> read_kallsyms(const ElfImage &kernel);
// The text of /proc/kallsyms, without the modules' symbols.
std::vector<KernelSymbol> parse_proc_kallsyms(std::string_view text);
// The modules that have a symbol matching a wildcard, sorted, by the same text.
std::vector<std::string> modules_in_proc_kallsyms(std::string_view text, const std::string &symbol);

// The kernel's functions, found by name. The packed form can be written to a file, and used as it was read from there.
class FunctionTable {
 public:
  struct Entry {
    uint32_t name;    // in the strings that follow the entries
    uint32_t offset;  // from _stext; no_offset when not known
    TextArea area;
    uint8_t is_global, is_exported, unused;
  };
  static constexpr uint32_t no_offset = UINT32_MAX;
  // Packs the functions among the symbols. `image` has the kernel's tables of exported and blacklisted ones; it may be
  // null.
  static std::string pack(const std::vector<KernelSymbol> &symbols, const ElfImage *image);
  // Uses packed bytes, which must live as long as the table. False when they are damaged.
  bool open(std::string_view packed);
  size_t size() const { return count_; }
  const Entry *begin() const { return entries_; }
  const Entry *end() const { return entries_ + count_; }
  std::string_view name(const Entry &e) const;
  // The entries with this name; of a name that ends in a dot ("foo."), those that begin with it.
  std::pair<const Entry *, const Entry *> find(std::string_view wanted) const;

 private:
  const Entry *entries_ = nullptr;
  size_t count_ = 0;
  std::string_view strings_;
};
