// SPDX-License-Identifier: GPL-2.0-or-later
// Reads and edits relocatable ELF files: a module's name, and the symbols it leaves to the kernel.
#include "build/module_image.h"

#include <cstring>
#include <elf.h>
#include <vector>

// The section headers, checked to lie inside the file together with what they describe.
static bool read_sections(const std::string &image, std::vector<Elf64_Shdr> &sections) {
  Elf64_Ehdr header;
  if (image.size() < sizeof(header)) return false;
  memcpy(&header, image.data(), sizeof(header));
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > image.size())
    return false;
  size_t count = header.e_shnum;
  if (count > (image.size() - header.e_shoff) / sizeof(Elf64_Shdr)) return false;
  sections.resize(count);
  if (count) memcpy(sections.data(), image.data() + header.e_shoff, count * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr &s : sections)
    if (s.sh_type != SHT_NOBITS && (s.sh_offset > image.size() || s.sh_size > image.size() - s.sh_offset)) return false;
  return header.e_shstrndx < count;
}

static std::string string_at(const std::string &image, const Elf64_Shdr &table, size_t offset) {
  if (offset >= table.sh_size) return "";
  const char *start = image.data() + table.sh_offset + offset;
  return std::string(start, strnlen(start, table.sh_size - offset));
}

static const Elf64_Shdr &names_table(const std::string &image, const std::vector<Elf64_Shdr> &sections) {
  Elf64_Ehdr header;
  memcpy(&header, image.data(), sizeof(header));
  return sections[header.e_shstrndx];
}

bool rename_module(std::string &image, const std::string &from, const std::string &to) {
  std::vector<Elf64_Shdr> sections;
  if (to.empty() || to.size() > from.size() || !read_sections(image, sections)) return false;
  const Elf64_Shdr names = names_table(image, sections);
  std::string padded = to + std::string(from.size() - to.size(), '\0');
  bool renamed = false;
  for (const Elf64_Shdr &s : sections) {
    std::string name = string_at(image, names, s.sh_name);
    if (s.sh_type == SHT_NOBITS || (name != ".gnu.linkonce.this_module" && name != ".modinfo" && name != ".strtab"))
      continue;
    for (size_t at = s.sh_offset;; at += from.size()) {
      at = image.find(from, at);
      if (at == std::string::npos || at + from.size() > s.sh_offset + s.sh_size) break;
      image.replace(at, from.size(), padded);
      renamed |= name == ".gnu.linkonce.this_module";
    }
  }
  return renamed;
}

std::optional<std::set<std::string>> undefined_symbols(const std::string &image) {
  std::vector<Elf64_Shdr> sections;
  if (!read_sections(image, sections)) return std::nullopt;
  std::set<std::string> names;
  for (const Elf64_Shdr &s : sections) {
    if (s.sh_type != SHT_SYMTAB || s.sh_link >= sections.size()) continue;
    for (size_t i = 1; i < s.sh_size / sizeof(Elf64_Sym); i++) {
      Elf64_Sym symbol;
      memcpy(&symbol, image.data() + s.sh_offset + i * sizeof(symbol), sizeof(symbol));
      if (symbol.st_shndx == SHN_UNDEF) names.insert(string_at(image, sections[s.sh_link], symbol.st_name));
    }
  }
  return names;
}
