// SPDX-License-Identifier: GPL-2.0-or-later
// The packed table of the kernel's functions: a count, entries sorted by name, then the names.
#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_set>

#include "debuginfo/kallsyms.h"

namespace {

// Names that modules may use: a string table of them in the image, else the symbols of their entries.
std::unordered_set<std::string_view> read_exported(const std::vector<KernelSymbol> &symbols, const ElfImage *image) {
  constexpr std::string_view prefix = "__ksymtab_";
  std::unordered_set<std::string_view> names;
  for (const KernelSymbol &symbol : symbols)
    if (symbol.name.starts_with(prefix)) names.insert(std::string_view(symbol.name).substr(prefix.size()));
  const ElfSection *section = image ? image->section("__ksymtab_strings") : nullptr;
  for (std::string_view rest = section ? section->bytes : ""; !rest.empty();) {
    std::string_view name = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    if (!name.empty()) names.insert(name);
  }
  return names;
}

bool is_function(char type) { return type == 't' || type == 'T' || type == 'w' || type == 'W'; }

}  // namespace

std::string FunctionTable::pack(const std::vector<KernelSymbol> &symbols, const ElfImage *image) {
  std::map<std::string_view, uint64_t> marks;
  for (const KernelSymbol &symbol : symbols)
    if (symbol.name == "_stext" || KernelAreas::needs_symbol(symbol.name)) marks[symbol.name] = symbol.address;
  KernelAreas areas;
  areas.read([&](std::string_view symbol) { return marks.count(symbol) ? marks[symbol] : 0; },
             [&](uint64_t address, uint64_t size) { return image ? image->memory(address, size) : ""; });
  auto exported = read_exported(symbols, image);
  uint64_t stext = marks["_stext"];
  std::vector<const KernelSymbol *> functions;
  for (const KernelSymbol &symbol : symbols)
    if (is_function(symbol.type)) functions.push_back(&symbol);
  std::stable_sort(functions.begin(), functions.end(),
                   [](const KernelSymbol *a, const KernelSymbol *b) { return a->name < b->name; });
  std::string strings, entries;
  for (const KernelSymbol *f : functions) {
    uint64_t offset = f->address - stext;
    const bool is_placed = stext && f->address >= stext && offset < no_offset;
    Entry entry = {};
    entry.name = uint32_t(strings.size());
    entry.offset = is_placed ? uint32_t(offset) : no_offset;
    entry.area = areas.at(f->address);
    entry.is_global = f->type < 'a';
    entry.is_exported = exported.count(f->name) > 0;
    entries.append(reinterpret_cast<char *>(&entry), sizeof entry);
    strings.append(f->name.c_str(), f->name.size() + 1);
  }
  uint32_t count = uint32_t(functions.size());
  return std::string(reinterpret_cast<char *>(&count), sizeof count) + entries + strings;
}

bool FunctionTable::open(std::string_view packed) {
  uint32_t count;
  if (packed.size() < sizeof count || reinterpret_cast<uintptr_t>(packed.data()) % alignof(Entry)) return false;
  memcpy(&count, packed.data(), sizeof count);
  packed.remove_prefix(sizeof count);
  if (count > packed.size() / sizeof(Entry)) return false;
  entries_ = reinterpret_cast<const Entry *>(packed.data());
  strings_ = packed.substr(count * sizeof(Entry));
  if (count && (strings_.empty() || strings_.back() != '\0')) return false;
  count_ = count;
  return true;
}

std::string_view FunctionTable::name(const Entry &e) const {
  return e.name < strings_.size() ? std::string_view(strings_.data() + e.name) : std::string_view();
}

std::pair<const FunctionTable::Entry *, const FunctionTable::Entry *> FunctionTable::find(
    std::string_view wanted) const {
  bool is_prefix = wanted.ends_with('.');
  auto cut = [&](const Entry &e) { return is_prefix ? name(e).substr(0, wanted.size()) : name(e); };
  const Entry *first =
      std::lower_bound(begin(), end(), wanted, [&](const Entry &e, std::string_view w) { return cut(e) < w; });
  const Entry *last = first;
  while (last != end() && cut(*last) == wanted) last++;
  return {first, last};
}
