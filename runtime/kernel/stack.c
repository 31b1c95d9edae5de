// SPDX-License-Identifier: GPL-2.0-or-later
// A stack for each context: how much a handler may use does not depend on where it is hit.
//
// A probe may sit at the end of a deep call chain, on an interrupt's stack or on that of an exception, whose bounds are not
// for modules to see. So the run goes to the context's own stack, whose size is known, and comes back when it has ended.
// Interrupts are off there; an NMI brings its own stack, and a fault that a handler's read causes uses this one.
#include <linux/linkage.h>
#include <asm/processor.h>
#include "kernel.h"

#ifdef CONFIG_KASAN
#define STACK_SIZE (1u << 15)
#else
#define STACK_SIZE (1u << 14)
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

// run_on_stack(top, c): the frame that it leaves on the old stack can be unwound (see symbols.c); its address stands
// in the first word of the new one. System V AMD64 calling convention.
asmlinkage void run_on_stack(char *top, struct stap_ctx *c);
asm(".pushsection .text, \"ax\"\n"
    ".type run_on_stack, @function\n"
    "run_on_stack:\n"
    "	push %rbp\n"
    "	mov %rsp, %rbp\n"
    "	mov %rdi, %rsp\n"
    "	push %rbp\n"
    "	sub $8, %rsp\n" // calls are made with the stack pointer at a multiple of 16
    "	mov %rsi, %rdi\n"
    "	call stap_run_handler\n"
    "	leave\n"
    STACK_RETURN
    ".size run_on_stack, . - run_on_stack\n"
    ".popsection\n");

void host_run_handler(struct stap_ctx *c)
{
	run_on_stack(c->stack_top, c);
}

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
