// SPDX-License-Identifier: GPL-2.0-or-later
// Stubs of the linkage table by what they do, not by where linkers put them: .plt, .plt.sec, .plt.got, .plt.bnd.
//
// A stub jumps to the address that is in its slot of the global offset table, and a relocation says which function's
// address the loader puts there: so the jump is decoded, and the relocation of its slot has the name.
//
//   [f3 0f 1e fa]  [f2]  ff 25 DISPLACEMENT       [endbr64] [bnd] jmp *slot(%rip)
#include "debuginfo/plt.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace {

constexpr size_t stub_alignment = 8;

bool takes_address_of_function(uint64_t type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; }

// Names of functions by the address of their slot.
std::map<uint64_t, std::string> slots_of(Elf *elf) {
  std::map<uint64_t, std::string> slots;
  for (Elf_Scn *section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header, symbols_header;
    if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !header.sh_entsize) continue;
    Elf_Scn *symbols_section = elf_getscn(elf, header.sh_link);
    Elf_Data *data = elf_getdata(section, nullptr);
    if (!data || !symbols_section || !gelf_getshdr(symbols_section, &symbols_header) ||
        symbols_header.sh_type != SHT_DYNSYM)
      continue;
    Elf_Data *symbols = elf_getdata(symbols_section, nullptr);
    for (size_t i = 0; symbols && i < header.sh_size / header.sh_entsize; i++) {
      GElf_Rela relocation;
      GElf_Sym symbol;
      if (!gelf_getrela(data, static_cast<int>(i), &relocation) ||
          !takes_address_of_function(GELF_R_TYPE(relocation.r_info)) ||
          !gelf_getsym(symbols, static_cast<int>(GELF_R_SYM(relocation.r_info)), &symbol))
        continue;
      const char *name = elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
      if (name && *name) slots[relocation.r_offset] = name;
    }
  }
  return slots;
}

// The slot of the stub that begins at `code`, whose address is `address`.
std::optional<uint64_t> slot_of(const uint8_t *code, size_t size, uint64_t address) {
  constexpr uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa}, jump[] = {0xff, 0x25};
  size_t at = 0;
  int32_t displacement;
  if (size >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64))) at += sizeof(endbr64);
  if (at < size && code[at] == 0xf2) at++;
  if (at + sizeof(jump) + sizeof(displacement) > size || memcmp(code + at, jump, sizeof(jump)) != 0)
    return std::nullopt;
  at += sizeof(jump);
  memcpy(&displacement, code + at, sizeof(displacement));
  return address + at + sizeof(displacement) + static_cast<uint64_t>(static_cast<int64_t>(displacement));
}

}  // namespace

std::vector<PltEntry> plt_of(Elf *elf) {
  std::vector<PltEntry> entries;
  size_t names;
  GElf_Ehdr file;
  if (elf_getshdrstrndx(elf, &names) != 0 || !gelf_getehdr(elf, &file) || file.e_machine != EM_X86_64) return entries;
  const std::map<uint64_t, std::string> slots = slots_of(elf);
  for (Elf_Scn *section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : nullptr;
    if (!name || strncmp(name, ".plt", 4) != 0 || header.sh_type != SHT_PROGBITS) continue;
    Elf_Data *data = elf_getdata(section, nullptr);
    if (!data || !data->d_buf) continue;
    for (size_t at = 0; at < data->d_size; at += stub_alignment) {
      const auto slot = slot_of(static_cast<const uint8_t *>(data->d_buf) + at, data->d_size - at, header.sh_addr + at);
      if (auto found = slot ? slots.find(*slot) : slots.end(); found != slots.end())
        entries.push_back({found->second, header.sh_addr + at});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const auto &a, const auto &b) { return a.address < b.address; });
  return entries;
}
