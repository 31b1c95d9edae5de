// SPDX-License-Identifier: GPL-2.0-or-later
// What a handler reads of the traced kernel or process: registers, memory that may fault, addresses of symbols.
#include "core.h"
#include "../abi/registers_x86_64.h"

static void fail_access(struct stap_ctx *c, int is_user, struct stap_str how, u64 address)
{
	char text[160];
	u32 len = stap_append(text, sizeof(text), 0, is_user ? STAP_STR("user") : STAP_STR("kernel"));

	len = stap_append(text, sizeof(text), len, how);
	len = stap_append_hex(text, sizeof(text), len, address);
	len = stap_append(text, sizeof(text), len, STAP_STR(" (addr)"));
	if (is_user)
		len = stap_append(text, sizeof(text), len, host_why_unreadable(c, address));
	stap_fail(c, (struct stap_str){text, len});
}

void stap_fail_fault(struct stap_ctx *c, enum stap_fault fault, u64 address)
{
	if (c->failed)
		return;
	if (fault == STAP_FAULT_NO_REGISTERS)
		stap_fail_cstr(c, "no registers at this probe point");
	else
		fail_access(c, fault == STAP_FAULT_USER_READ, STAP_STR(" read fault at 0x"), address);
	c->fault = fault;
	c->fault_address = address;
}

// Where a register is saved; NULL with the error set when it isn't.
static const u64 *saved_reg(struct stap_ctx *c, const struct stap_regs *r, u32 dwarf_number)
{
	if (!r) {
		stap_fail_fault(c, STAP_FAULT_NO_REGISTERS, 0);
		return STAP_NULL;
	}
	switch (dwarf_number) {
#define SAVED(number, field) \
	case number: return &r->field;
		STAP_DWARF_REGISTERS(SAVED)
#undef SAVED
	}
	stap_fail_cstr(c, "a register that is not saved at this probe point is needed");
	return STAP_NULL;
}

static u64 reg_of(struct stap_ctx *c, const struct stap_regs *r, u32 dwarf_number)
{
	const u64 *saved = saved_reg(c, r, dwarf_number);

	return saved ? *saved : 0;
}

u64 stap_reg(struct stap_ctx *c, u32 dwarf_number)
{
	return reg_of(c, c->event->regs, dwarf_number);
}

u64 stap_user_reg(struct stap_ctx *c, u32 dwarf_number)
{
	return reg_of(c, host_user_regs(c->event->regs), dwarf_number);
}

u64 stap_thread_pointer(struct stap_ctx *c)
{
	u64 pointer;

	if (host_thread_pointer(&pointer))
		stap_fail_cstr(c, "no process, and so no thread-local variables, at this probe point");
	return c->failed ? 0 : pointer;
}

// The second word at the thread pointer is the address of a table, whose element n is the address of block n and
// another word. Element -1 is how many there are; a block of all ones is not there yet (sysdeps/x86_64/nptl/tls.h and
// elf/dl-tls.c of glibc).
u64 stap_tls_block(struct stap_ctx *c, u64 module)
{
	const u64 thread = stap_thread_pointer(c);
	const u64 table = (u64)stap_uread(c, thread + 8, 8, 0);
	const u64 count = (u64)stap_uread(c, table - 16, 8, 0);
	u64 block = ~0ull;

	if (!c->failed && module <= count)
		block = (u64)stap_uread(c, table + 16 * module, 8, 0);
	if (block == ~0ull || !block)
		stap_fail_cstr(c, "the thread has not used the library's thread-local variables yet");
	return c->failed ? 0 : block;
}

// The probed code goes on with what is saved: kprobes and kretprobes put all general registers back
// (Documentation/trace/kprobes.rst).
void stap_reg_set(struct stap_ctx *c, u32 dwarf_number, stap_long value)
{
	u64 *saved = (u64 *)saved_reg(c, c->event->regs, dwarf_number);

	if (saved)
		*saved = (u64)value;
}

static const u8 in_register[] = STAP_ARGUMENT_REGISTERS;

u64 stap_call_arg(struct stap_ctx *c, u32 n)
{
	u64 address;

	if (n < STAP_ARRAY_LEN(in_register))
		return stap_reg(c, in_register[n]);
	// On the stack above the return address.
	address = stap_reg(c, STAP_STACK_REGISTER) + STAP_STACK_ARGUMENTS + 8 * (u64)(n - STAP_ARRAY_LEN(in_register));
	return (u64)(stap_user_mode(c) ? stap_uread(c, address, 8, 0) : stap_kread(c, address, 8, 0));
}

static stap_long extend(u64 v, u32 size, int is_signed)
{
	u32 unused = 64 - 8 * size;

	return is_signed ? (stap_long)(v << unused) >> unused : (stap_long)(v << unused >> unused);
}

static int good_size(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

stap_long stap_kread(struct stap_ctx *c, u64 address, u32 size, int is_signed)
{
	u64 v = 0;

	if (STAP_UNLIKELY(c->failed))
		return 0;
	if (STAP_UNLIKELY(!good_size(size) || host_read_kernel(&v, address, size))) {
		stap_fail_fault(c, STAP_FAULT_KERNEL_READ, address);
		return 0;
	}
	return extend(v, size, is_signed);
}

stap_long stap_uread(struct stap_ctx *c, u64 address, u32 size, int is_signed)
{
	u64 v = 0;

	if (STAP_UNLIKELY(c->failed))
		return 0;
	if (STAP_UNLIKELY(!good_size(size) || host_read_user(&v, address, size))) {
		stap_fail_fault(c, STAP_FAULT_USER_READ, address);
		return 0;
	}
	return extend(v, size, is_signed);
}

void stap_kwrite(struct stap_ctx *c, u64 address, u32 size, stap_long value)
{
	if (!c->failed && (!good_size(size) || host_write_kernel(address, (u64)value, size)))
		fail_access(c, 0, STAP_STR(" write fault at 0x"), address);
}

void stap_uwrite(struct stap_ctx *c, u64 address, u32 size, stap_long value)
{
	if (!c->failed && (!good_size(size) || host_write_user(address, (u64)value, size)))
		fail_access(c, 1, STAP_STR(" write fault at 0x"), address);
}

// Reads up to `max` bytes or the NUL. In pieces that end where a 64-byte line ends, so that a
// string just before an unreadable page is read whole; each piece straight into the arena.
static struct stap_str read_string(struct stap_ctx *c, u64 address, u32 max, int (*read)(void *, u64, u32),
				   enum stap_fault fault)
{
	u32 limit = stap_core.program->limits.max_string_len ? stap_core.program->limits.max_string_len - 1 : 0;
	u32 len = 0, mark = c->arena_high, piece, room;
	char *to;

	if (!max || max > limit)
		max = limit;
	if (c->failed || !max)
		return STAP_STR("");
	to = stap_temp_alloc(c, max);
	if (!to)
		return STAP_STR("");
	while (len < max) {
		room = max - len;
		piece = 64 - (u32)((address + len) & 63);
		if (piece > room)
			piece = room;
		if (read(to + len, address + len, piece)) {
			c->arena_high = mark;
			stap_fail_fault(c, fault, address + len);
			return STAP_STR("");
		}
		for (u32 end = len + piece; len < end; len++)
			if (!to[len])
				goto done;
	}
	len = stap_utf8_cut(to, len, len);
done:
	c->arena_high = mark;
	return stap_str_copy(c, (struct stap_str){to, len}); // moved up: only its own size stays taken
}

struct stap_str stap_kread_str(struct stap_ctx *c, u64 address, u32 max)
{
	return read_string(c, address, max, host_read_kernel, STAP_FAULT_KERNEL_READ);
}

struct stap_str stap_uread_str(struct stap_ctx *c, u64 address, u32 max)
{
	return read_string(c, address, max, host_read_user, STAP_FAULT_USER_READ);
}

u64 stap_symbol_address(struct stap_ctx *c, u32 symbol_index)
{
	const struct stap_symbol *s;

	if (symbol_index >= stap_core.program->symbol_count)
		return 0;
	s = &stap_core.program->symbols[symbol_index];
	if (!s->address)
		stap_fail_cstr(c, "address of a symbol is not known: its module is not loaded");
	return s->address;
}

// The hit tells where the file lies in this process: the place that was hit is known both ways.
u64 stap_file_address(struct stap_ctx *c, u64 address)
{
	const struct stap_file_place *place = stap_probe_file_place(c->probe);

	if (!place) {
		stap_fail_cstr(c, "this probe point does not tell where the program lies");
		return 0;
	}
	return address - place->address +
	       (c->event->data ? (u64)c->event->data : stap_reg(c, STAP_DWARF_REGISTER_LAST));
}
