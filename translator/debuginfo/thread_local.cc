// SPDX-License-Identifier: GPL-2.0-or-later
// Where the thread-local variables of a program or library are, in the thread that is hit.
//
// x86-64 has a thread's blocks of such variables below the thread pointer, the base of fs. That of the program itself
// lies where the linker could compute (Ulrich Drepper, "ELF Handling For Thread-Local Storage", variant II). A
// library's is found as the library finds it: its relocations name a word that the dynamic linker fills in with the
// block's distance from the thread pointer, or with the library's number in the thread's table of blocks.
#include "debuginfo/thread_local.h"

#include <elf.h>
#include <gelf.h>

#include "arch/arch.h"
#include "base/session.h"

namespace {

bool find_segment(Elf *elf, uint32_t type, GElf_Phdr *segment) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count)) return false;
  for (size_t i = 0; i < count; i++)
    if (gelf_getphdr(elf, int(i), segment) && segment->p_type == type) return true;
  return false;
}

template <class F> void for_each_section(Elf *elf, uint32_t type, F visit) {
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section));) {
    GElf_Shdr header;
    Elf_Data *data;
    if (gelf_getshdr(section, &header) && header.sh_type == type && header.sh_entsize &&
        (data = elf_getdata(section, nullptr)))
      visit(header, data);
  }
}

bool is_program(Elf *elf) {
  GElf_Ehdr header;
  if (!gelf_getehdr(elf, &header)) return false;
  bool is_pie = false;
  for_each_section(elf, SHT_DYNAMIC, [&](const GElf_Shdr &section, Elf_Data *data) {
    GElf_Dyn entry;
    for (size_t i = 0; i < section.sh_size / section.sh_entsize && gelf_getdyn(data, int(i), &entry); i++)
      is_pie |= entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE);
  });
  return header.e_type == ET_EXEC || is_pie;
}

// A word of the library that is filled in for its thread-local variables.
struct FilledIn {
  uint64_t address = 0;  // in the file; 0: there is none
  uint64_t counted = 0;  // of a distance: how far into the block it leads
};

FilledIn find_relocation(Elf *elf, uint32_t type) {
  FilledIn found;
  for_each_section(elf, SHT_RELA, [&](const GElf_Shdr &section, Elf_Data *data) {
    GElf_Rela r;
    for (size_t i = 0; !found.address && i < section.sh_size / section.sh_entsize && gelf_getrela(data, int(i), &r);
         i++) {
      if (GELF_R_TYPE(r.r_info) != type) continue;
      GElf_Sym symbol = {};
      GElf_Shdr table;
      Elf_Scn *symbols = elf_getscn(elf, section.sh_link);
      const int number = int(GELF_R_SYM(r.r_info));
      // A symbol of another file's stands for that file's block.
      if (number && (!symbols || !gelf_getshdr(symbols, &table) ||
                     !gelf_getsym(elf_getdata(symbols, nullptr), number, &symbol) || symbol.st_shndx == SHN_UNDEF))
        continue;
      found = {r.r_offset, symbol.st_value + uint64_t(r.r_addend)};
    }
  });
  return found;
}

}  // namespace

ThreadBlock thread_local_block(const NodeFactory &make, Elf *elf, const AddressOf &address_of) {
  GElf_Phdr segment;
  if (!find_segment(elf, PT_TLS, &segment)) return {nullptr, "its file has no thread-local variables", 0, 0};
  Register *thread = make.target_register(arch_of(make.session()).thread_register);
  thread->may_fail = true;  // a kernel thread has none
  if (is_program(elf)) {
    const uint64_t align = segment.p_align ? segment.p_align : 1;
    const uint64_t below = segment.p_memsz + (-(segment.p_vaddr + segment.p_memsz) & (align - 1));
    return {make.binary(BinaryOp::Add, thread, make.number(-int64_t(below))), "", segment.p_vaddr, segment.p_memsz};
  }
  auto filled_in = [&](uint64_t address) {
    Deref *word = make.deref(address_of(address), 8);
    word->user = true;
    return word;
  };
  if (const FilledIn distance = find_relocation(elf, R_X86_64_TPOFF64); distance.address)
    return {make.binary(BinaryOp::Add, make.binary(BinaryOp::Add, thread, filled_in(distance.address)),
                        make.number(-int64_t(distance.counted))),
            "", segment.p_vaddr, segment.p_memsz};
  if (const FilledIn number = find_relocation(elf, R_X86_64_DTPMOD64); number.address) {
    Call *block = make.session().make<Call>(make.place());
    block->name = "__tls_block";
    block->args = {filled_in(number.address)};
    return {block, "", segment.p_vaddr, segment.p_memsz};
  }
  return {nullptr, "nothing in the library tells where its thread-local variables are", 0, 0};
}
