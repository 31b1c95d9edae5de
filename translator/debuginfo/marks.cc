// SPDX-License-Identifier: GPL-2.0-or-later
// Marks from the notes of a program: section .note.stapsdt, as <sys/sdt.h> lays it out.
//
// A note has three addresses (the mark's, that of section .stapsdt.base when the note was made, the semaphore's), then
// three strings. Who moves a program's addresses later (prelink) does not mend the notes: the section's present address
// tells how far.
#include "debuginfo/marks.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace {

constexpr uint32_t mark_note_type = 3;
constexpr char mark_note_name[] = "stapsdt";

struct Section {
  Elf_Scn *section = nullptr;
  GElf_Shdr header = {};
};

Section find_section(Elf *elf, const char *name) {
  size_t names;
  Section found;
  if (elf_getshdrstrndx(elf, &names) != 0) return found;
  for (Elf_Scn *section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header)) continue;
    const char *section_name = elf_strptr(elf, names, header.sh_name);
    if (section_name && !strcmp(section_name, name)) return {section, header};
  }
  return found;
}

// A string that ends within [at, end); moves `at` behind it. None when it does not end.
std::optional<std::string> take_string(const char *&at, const char *end) {
  const char *nul = static_cast<const char *>(memchr(at, 0, static_cast<size_t>(end - at)));
  if (!nul) return std::nullopt;
  std::string text(at, nul);
  at = nul + 1;
  return text;
}

// `base_now` is the present address of .stapsdt.base, 0 when there is no such section.
std::optional<Mark> read_mark(const char *at, size_t size, uint64_t base_now) {
  uint64_t addresses[3];
  const char *end = at + size;
  if (size < sizeof(addresses)) return std::nullopt;
  memcpy(addresses, at, sizeof(addresses));
  at += sizeof(addresses);
  const auto provider = take_string(at, end), name = take_string(at, end), arguments = take_string(at, end);
  if (!provider || !name || !arguments) return std::nullopt;
  const uint64_t moved = base_now && addresses[1] ? base_now - addresses[1] : 0;
  Mark mark{.provider = *provider, .name = *name, .arguments = *arguments, .address = addresses[0] + moved};
  if (addresses[2]) mark.semaphore = addresses[2] + moved;
  return mark;
}

}  // namespace

std::vector<Mark> marks_of(Elf *elf) {
  std::vector<Mark> marks;
  const Section notes = find_section(elf, ".note.stapsdt"), base = find_section(elf, ".stapsdt.base");
  Elf_Data *data = notes.section && gelf_getclass(elf) == ELFCLASS64 ? elf_getdata(notes.section, nullptr) : nullptr;
  if (!data) return marks;
  GElf_Nhdr note;
  size_t name_at, text_at;
  for (size_t at = 0; at < data->d_size && (at = gelf_getnote(data, at, &note, &name_at, &text_at)) > 0;) {
    const char *bytes = static_cast<const char *>(data->d_buf);
    if (note.n_type != mark_note_type || note.n_namesz != sizeof(mark_note_name) ||
        memcmp(bytes + name_at, mark_note_name, sizeof(mark_note_name)) != 0)
      continue;
    if (auto mark = read_mark(bytes + text_at, note.n_descsz, base.header.sh_addr)) marks.push_back(*mark);
  }
  std::sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) {
    return std::tie(a.provider, a.name, a.address) < std::tie(b.provider, b.name, b.address);
  });
  return marks;
}

std::optional<uint64_t> symbol_address(Elf *elf, const std::string &name) {
  for (Elf_Scn *section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)) continue;
    Elf_Data *data = elf_getdata(section, nullptr);
    for (size_t i = 0; data && header.sh_entsize && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, static_cast<int>(i), &symbol) || symbol.st_shndx == SHN_UNDEF ||
          GELF_ST_TYPE(symbol.st_info) == STT_TLS)
        continue;
      const char *symbol_name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (symbol_name && name == symbol_name) return symbol.st_value;
    }
  }
  return std::nullopt;
}
