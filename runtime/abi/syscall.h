// SPDX-License-Identifier: GPL-2.0-or-later
// Arguments of system calls, where the kernel saved them when it was entered.
//
// The kernel's function for a system call has the pointer to the saved registers (struct pt_regs) as its only argument
// since Linux 4.17, and the tracepoints sys_enter and sys_exit as their first. Which of them are the arguments follows
// from the ABI that was called: a function's name says it (__x64_sys_NAME, __ia32_sys_NAME), at the tracepoints the
// code segment of the program does, so that a 64-bit program that uses int 0x80 is taken for one that does not.
#ifndef STAP_ABI_SYSCALL_H
#define STAP_ABI_SYSCALL_H

#include "context.h"
#include "program.h"

#define STAP_USER32_CS 0x23 // __USER32_CS (asm/segment.h)

// Where the saved registers are, at such a probe point; 0 where there are no registers.
static inline u64 stap_syscall_registers(struct stap_ctx *c)
{
	const struct stap_regs *regs = c->event->regs;

	if (!regs)
		return 0;
	return c->probe->attach.kind == STAP_ATTACH_TRACEPOINT ? regs->si : regs->di;
}

// Was the call made by the ABI of 32-bit programs?
static inline int stap_syscall_is_32bit(struct stap_ctx *c)
{
	const char *function = c->probe->function;

	if (c->probe->attach.kind == STAP_ATTACH_TRACEPOINT)
		return stap_kread(c, stap_syscall_registers(c) + __builtin_offsetof(struct stap_regs, cs), 8, 0) ==
		       STAP_USER32_CS;
	return function && function[0] == '_' && function[1] == '_' && function[2] == 'i';
}

// Argument n, from 1, as it was passed: 64 bits, or 32 without a sign. 0 when n is none.
static inline stap_long stap_syscall_argument(struct stap_ctx *c, stap_long n)
{
#define STAP_PLACE(name) __builtin_offsetof(struct stap_regs, name)
	static const u8 places[2][6] = {
		{STAP_PLACE(di), STAP_PLACE(si), STAP_PLACE(dx), STAP_PLACE(r10), STAP_PLACE(r8), STAP_PLACE(r9)},
		{STAP_PLACE(bx), STAP_PLACE(cx), STAP_PLACE(dx), STAP_PLACE(si), STAP_PLACE(di), STAP_PLACE(bp)},
	};
#undef STAP_PLACE
	int is_32bit = stap_syscall_is_32bit(c);

	if (n < 1 || n > 6)
		return 0;
	return stap_kread(c, stap_syscall_registers(c) + places[is_32bit][n - 1], is_32bit ? 4 : 8, 0);
}

// The number of the call, at the tracepoints.
static inline stap_long stap_syscall_number(struct stap_ctx *c)
{
	return stap_kread(c, stap_syscall_registers(c) + __builtin_offsetof(struct stap_regs, orig_ax), 4, 1);
}

// What the call returns, at the tracepoint sys_exit or where its function returns.
static inline stap_long stap_syscall_result(struct stap_ctx *c)
{
	const struct stap_regs *regs = c->event->regs;

	if (!regs)
		return 0;
	return (stap_long)(c->probe->attach.kind == STAP_ATTACH_TRACEPOINT ? regs->dx : regs->ax);
}

#endif
