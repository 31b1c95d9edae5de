// SPDX-License-Identifier: GPL-2.0-or-later
// The call frame information of a program or library (.eh_frame; DWARF 5, 6.4, and the ABI's supplement for x86-64) as
// rules that a handler can follow: a table by file offset, in which compilers' code is exact.
//
// libdw says what holds at an address, and how far. What no rule can say is STAP_UNWIND_UNKNOWN. Where the described
// code begins is read in the section itself: not every program has a table of that (.eh_frame_hdr).
#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/registers_x86_64.h"
#include "user_file.h"

#define RETURN_ADDRESS 16 // its DWARF number

struct rules {
	Elf *elf;
	Dwarf_CFI *cfi;
	struct user_file *to;
	size_t room;
};

static int add_rule(struct rules *r, u64 address, struct stap_unwind_rule rule)
{
	struct user_file *to = r->to;
	struct stap_unwind_rule *larger, *last = to->rule_count ? &to->rules[to->rule_count - 1] : NULL;
	u64 offset;

	if (!user_file_offset(r->elf, address, &offset) || offset > UINT32_MAX)
		return 0;
	rule.offset = (u32)offset;
	if (last && last->offset == rule.offset) { // the end of one function where the next begins
		*last = rule;
		return 0;
	}
	if (to->rule_count == r->room) {
		r->room = r->room ? 2 * r->room : 4096;
		larger = realloc(to->rules, r->room * sizeof(*larger));
		if (!larger)
			return -1;
		to->rules = larger;
	}
	to->rules[to->rule_count++] = rule;
	return 0;
}

// rsp + 8, and 8 more from byte N of each 16 on: the expression that linkers write for .plt.
static int is_plt(const Dwarf_Op *o, size_t count, struct stap_unwind_rule *rule)
{
	if (count != 9 || o[0].atom != DW_OP_breg7 || o[1].atom != DW_OP_breg16 || o[2].atom != DW_OP_lit15 ||
	    o[3].atom != DW_OP_and || o[4].atom < DW_OP_lit1 || o[4].atom > DW_OP_lit15 || o[5].atom != DW_OP_ge ||
	    o[6].atom != DW_OP_lit3 || o[7].atom != DW_OP_shl || o[8].atom != DW_OP_plus)
		return 0;
	rule->base = STAP_UNWIND_STACK;
	rule->cfa = (s32)o[0].number;
	rule->pushed_from = (u8)(o[4].atom - DW_OP_lit0);
	return 1;
}

static void set_base(Dwarf_Frame *frame, struct stap_unwind_rule *rule)
{
	Dwarf_Op *o;
	size_t count;

	if (dwarf_frame_cfa(frame, &o, &count) || is_plt(o, count, rule))
		return;
	if (count == 1 && o[0].atom == DW_OP_bregx) {
		rule->base = o[0].number == STAP_STACK_REGISTER   ? STAP_UNWIND_STACK
			     : o[0].number == STAP_FRAME_REGISTER ? STAP_UNWIND_FRAME
								  : STAP_UNWIND_UNKNOWN;
		rule->cfa = (s32)o[0].number2;
	} else if (count == 2 && o[0].atom == DW_OP_breg6 && o[1].atom == DW_OP_deref) {
		rule->base = STAP_UNWIND_FRAME_WORD;
		rule->cfa = (s32)o[0].number;
	}
}

// Where the caller's value of a register is, from the CFA: 1; 0: the caller has none; -1: it is still in the register,
// or elsewhere.
static int saved_at(Dwarf_Frame *frame, int number, s64 *from_cfa)
{
	Dwarf_Op memory[3], *o;
	size_t count;

	if (dwarf_frame_register(frame, number, memory, &o, &count))
		return -1;
	if (!count)
		return o ? 0 : -1;
	if (o[0].atom != DW_OP_call_frame_cfa || count > 2 || (count == 2 && o[1].atom != DW_OP_plus_uconst))
		return -1;
	*from_cfa = count == 2 ? (s64)o[1].number : 0;
	return 1;
}

static struct stap_unwind_rule describe(Dwarf_Frame *frame, int is_signal)
{
	struct stap_unwind_rule rule = {.base = is_signal ? STAP_UNWIND_SIGNAL : STAP_UNWIND_UNKNOWN};
	s64 at = 0;

	if (is_signal)
		return rule;
	switch (saved_at(frame, RETURN_ADDRESS, &at)) {
	case 0: rule.base = STAP_UNWIND_OUTERMOST; return rule;
	case 1:
		if (at == -(s64)sizeof(u64))
			set_base(frame, &rule);
	}
	if (saved_at(frame, STAP_FRAME_REGISTER, &at) == 1 && at >= INT16_MIN && at < 0)
		rule.frame_pointer = (s16)at;
	return rule;
}

// From where a function begins to where the next one does.
static int add_function(struct rules *r, u64 begin, u64 next)
{
	u64 at = begin;

	while (at < next) {
		Dwarf_Addr start, end;
		Dwarf_Frame *frame;
		bool is_signal;
		int rc;

		if (dwarf_cfi_addrframe(r->cfi, at, &frame))
			return add_rule(r, at, (struct stap_unwind_rule){0});
		if (dwarf_frame_info(frame, &start, &end, &is_signal) < 0 || end <= at)
			end = next;
		rc = add_rule(r, at, describe(frame, is_signal));
		free(frame);
		if (rc)
			return -1;
		at = end;
	}
	return 0;
}

// --- where described code begins ---

struct begins {
	u64 *all;
	size_t count, room;
};

static int add_begin(struct begins *b, u64 address)
{
	u64 *larger;

	if (b->count == b->room) {
		b->room = b->room ? 2 * b->room : 4096;
		larger = realloc(b->all, b->room * sizeof(*larger));
		if (!larger)
			return -1;
		b->all = larger;
	}
	b->all[b->count++] = address;
	return 0;
}

// Bytes of a pointer of that encoding; 0: it is one of those that compilers for x86-64 don't write.
static unsigned pointer_size(u8 encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8: return 8;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4: return 4;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2: return 2;
	}
	return 0;
}

// How the addresses of code are encoded by what shares this entry (the character R of its augmentation).
static u8 code_encoding(const Dwarf_CIE *cie)
{
	const u8 *data = cie->augmentation_data, *end = data + cie->augmentation_data_size;

	if (!data || cie->augmentation[0] != 'z')
		return DW_EH_PE_absptr;
	for (const char *what = cie->augmentation + 1; *what && data < end; what++) {
		if (*what == 'R')
			return *data;
		if (*what == 'L')
			data++;
		else if (*what == 'P')
			data += 1 + pointer_size(*data);
		else if (*what != 'S' && *what != 'B')
			break;
	}
	return DW_EH_PE_absptr;
}

// The address that is encoded at `from`, which is at `address` itself; 0: it can't be told.
static u64 decode_pointer(u8 encoding, const u8 *from, const u8 *end, u64 address)
{
	const unsigned size = pointer_size(encoding);
	u64 value = 0;

	if (!size || (size_t)(end - from) < size ||
	    ((encoding & 0x70) != DW_EH_PE_absptr && (encoding & 0x70) != DW_EH_PE_pcrel))
		return 0;
	memcpy(&value, from, size);
	if ((encoding & DW_EH_PE_signed) && size < sizeof(value))
		value = (u64)((s64)(value << (64 - 8 * size)) >> (64 - 8 * size));
	return (encoding & 0x70) == DW_EH_PE_pcrel ? value + address : value;
}

static int by_address(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int read_begins(Elf *elf, Elf_Data *data, u64 section, struct begins *b)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	Dwarf_CFI_Entry entry, shared;
	Dwarf_Off offset = 0, next, after;
	int rc;

	for (; (rc = dwarf_next_cfi(ident, data, true, offset, &next, &entry)) >= 0 && next != (Dwarf_Off)-1;
	     offset = next) {
		const u8 *from = entry.fde.start;
		u64 begin;

		if (rc || dwarf_cfi_cie_p(&entry) ||
		    dwarf_next_cfi(ident, data, true, entry.fde.CIE_pointer, &after, &shared) ||
		    !dwarf_cfi_cie_p(&shared))
			continue;
		begin = decode_pointer(code_encoding(&shared.cie), from, entry.fde.end,
				       section + (u64)(from - (const u8 *)data->d_buf));
		if (begin && add_begin(b, begin))
			return -1;
	}
	qsort(b->all, b->count, sizeof(*b->all), by_address);
	return 0;
}

static Elf_Data *frame_section(Elf *elf, u64 *address)
{
	size_t names = 0;
	GElf_Shdr header;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
		const char *name = gelf_getshdr(s, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

		if (!name || strcmp(name, ".eh_frame") || header.sh_type == SHT_NOBITS)
			continue;
		*address = header.sh_addr;
		return elf_getdata(s, NULL);
	}
	return NULL;
}

int unwind_rules_read(Dwfl_Module *module, struct user_file *to)
{
	GElf_Addr bias;
	struct rules r = {.elf = dwfl_module_getelf(module, &bias), .cfi = dwfl_module_eh_cfi(module, &bias), .to = to};
	struct begins b = {0};
	u64 address = 0;
	Elf_Data *section = frame_section(r.elf, &address);
	// Registers have other numbers in code of 32 bits.
	int rc = section && r.cfi && gelf_getclass(r.elf) == ELFCLASS64 ? read_begins(r.elf, section, address, &b) : 0;

	for (size_t i = 0; !rc && i < b.count; i++)
		rc = add_function(&r, b.all[i], i + 1 < b.count ? b.all[i + 1] : UINT64_MAX);
	free(b.all);
	return rc;
}
