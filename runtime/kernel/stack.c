// SPDX-License-Identifier: GPL-2.0-or-later
// A stack for each context: how much a handler may use does not depend on where it is hit.
//
// A probe may sit at the end of a deep call chain, on an interrupt's stack or on that of an exception, whose bounds are
// not for modules to see. So the run goes to the context's own stack, whose size is known, and comes back when it has
// ended. Interrupts are off there; an NMI brings its own stack, and a fault that a handler's read causes uses this one.
#include <linux/linkage.h>
#include <asm/processor.h>
#include "kernel.h"

#ifdef CONFIG_KASAN
#define STACK_SIZE (10u << 12)
#else
#define STACK_SIZE (5u << 12)
#endif

#ifdef ASM_RET
#define STACK_RETURN ASM_RET
#else
#define STACK_RETURN "ret\n"
#endif

u32 host_stack_size(void)
{
	return STACK_SIZE;
}

// host_run_handler(c). The frame that it leaves on the old stack can be unwound (symbols.c); its address stands in the
// first word of the new one. System V AMD64 calling convention; the context's first member is the end of its stack.
static_assert(offsetof(struct stap_ctx, stack_top) == 0);
asm(".pushsection .text, \"ax\"\n"
    ".globl host_run_handler\n"
    ".type host_run_handler, @function\n"
    "host_run_handler:\n"
    "	push %rbp\n"
    "	mov %rsp, %rbp\n"
    "	mov (%rdi), %rsp\n"
    "	push %rbp\n"
    "	sub $8, %rsp\n" // calls are made with the stack pointer at a multiple of 16
    "	call stap_run_handler\n"
    "	leave\n" STACK_RETURN ".size host_run_handler, . - host_run_handler\n"
    ".popsection\n");

bool stack_of_hit(const struct stap_ctx *c, struct pt_regs *regs)
{
	const unsigned long *frame;

	if (!c->stack_top)
		return false;
	frame = ((unsigned long **)c->stack_top)[-1];
	regs->bp = frame[0];
	regs->ip = frame[1];
	regs->sp = (unsigned long)(frame + 2);
	return true;
}
