// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols that tell where a module's sections are. The kernel keeps a module's whole symbol table while it loads the
// module, by names and addresses, but says where its sections are only later.
#include "debuginfo/anchors.h"

#include <gelf.h>

#include <map>
#include <string_view>
#include <unordered_map>

std::vector<SectionAnchor> section_anchors(Elf *elf) {
  struct Symbol {
    GElf_Sym symbol;
    unsigned count;
  };
  std::unordered_map<std::string_view, Symbol> symbols;
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize) continue;
    Elf_Data *data = elf_getdata(section, nullptr);
    for (int i = 1; data && i < int(header.sh_size / header.sh_entsize); i++) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, i, &symbol)) continue;
      const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name && *name) symbols.try_emplace(name, Symbol{symbol, 0}).first->second.count++;
    }
  }
  // Ordered, so that a file always gives the same.
  std::map<size_t, std::pair<std::string_view, uint64_t>> chosen;
  for (const auto &[name, symbol] : symbols) {
    const int type = GELF_ST_TYPE(symbol.symbol.st_info);
    if (symbol.count != 1 || symbol.symbol.st_shndx == SHN_UNDEF || symbol.symbol.st_shndx >= SHN_LORESERVE) continue;
    if (type != STT_FUNC && type != STT_OBJECT && type != STT_NOTYPE) continue;
    auto [it, is_new] = chosen.try_emplace(symbol.symbol.st_shndx, name, symbol.symbol.st_value);
    if (!is_new && name < it->second.first) it->second = {name, symbol.symbol.st_value};
  }
  std::vector<SectionAnchor> anchors;
  size_t strings;
  if (elf_getshdrstrndx(elf, &strings)) return anchors;
  for (const auto &[index, symbol] : chosen) {
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(elf, index);
    if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC)) continue;
    if (const char *name = elf_strptr(elf, strings, header.sh_name))
      anchors.push_back({name, std::string(symbol.first), symbol.second});
  }
  return anchors;
}
