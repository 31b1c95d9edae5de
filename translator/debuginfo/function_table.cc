// SPDX-License-Identifier: GPL-2.0-or-later
// The packed table of the kernel's functions: a count, entries sorted by name, then the names.
#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_set>

#include "debuginfo/kallsyms.h"
#include "debuginfo/unprobeable.h"

namespace {

constexpr unsigned area_count = std::size(unprobeable_areas), blacklist_number = area_count + 1;

// Addresses of NOKPROBE_SYMBOL() functions, a table in the image.
std::unordered_set<uint64_t> read_blacklist(const ElfImage *image, uint64_t start, uint64_t stop) {
  std::unordered_set<uint64_t> list;
  if (!image || !start || stop <= start || stop - start > 1 << 20) return list;
  for (const ElfSection &section : image->sections()) {
    if (start < section.address || stop - section.address > section.bytes.size()) continue;
    for (uint64_t at = start - section.address; at + 8 <= stop - section.address; at += 8) {
      uint64_t address;
      memcpy(&address, section.bytes.data() + at, sizeof address);
      list.insert(address);
    }
  }
  return list;
}

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

const char *FunctionTable::refusal(unsigned number) {
  if (number >= 1 && number <= area_count) return unprobeable_areas[number - 1].reason;
  return number == blacklist_number ? on_blacklist : nullptr;
}

std::string FunctionTable::pack(const std::vector<KernelSymbol> &symbols, const ElfImage *image) {
  std::map<std::string_view, uint64_t> marks;
  for (const UnprobeableArea &area : unprobeable_areas) marks[area.start] = marks[area.end] = 0;
  for (const char *name : {"_stext", "__start_kprobe_blacklist", "__stop_kprobe_blacklist"}) marks[name] = 0;
  for (const KernelSymbol &symbol : symbols)
    if (auto it = marks.find(symbol.name); it != marks.end()) it->second = symbol.address;
  auto blacklist = read_blacklist(image, marks["__start_kprobe_blacklist"], marks["__stop_kprobe_blacklist"]);
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
    Entry entry{uint32_t(strings.size()),
                stext && f->address >= stext && offset < no_offset ? uint32_t(offset) : no_offset, 0,
                f->type<'a', exported.count(f->name)> 0};
    for (unsigned i = 0; i < area_count && !entry.refusal; i++) {
      const UnprobeableArea &area = unprobeable_areas[i];
      if (marks[area.start] && f->address >= marks[area.start] && f->address < marks[area.end])
        entry.refusal = uint16_t(i + 1);
    }
    if (!entry.refusal && blacklist.count(f->address)) entry.refusal = blacklist_number;
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
