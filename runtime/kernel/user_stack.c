// SPDX-License-Identifier: GPL-2.0-or-later
// The stack of the process that runs: its registers, what its calls return to, and what a signal interrupted. Any
// context.
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/signal.h>
#include <linux/uprobes.h>
#include <asm/segment.h>
#include <asm/sigframe.h>
#include "kernel.h"

#define RED_ZONE 128 // bytes below the stack pointer that a function may use

const struct stap_regs *host_user_regs(const struct stap_regs *regs)
{
	if (regs && user_mode((struct pt_regs *)regs))
		return regs;
	return current->mm ? (const struct stap_regs *)task_pt_regs(current) : NULL;
}

// --- return probes ---

// The list is the task's own, and changes at hits of its uprobes only: what interrupts the kernel may be in the middle
// of that.
static const struct return_instance *followed_calls(struct stap_ctx *c)
{
	if (!current->utask || (in_interrupt() && !stap_user_mode(c)))
		return NULL;
	return current->utask->return_instances;
}

u64 host_user_return(struct stap_ctx *c, u64 at, u64 found)
{
	const struct return_instance *ri;

	for (ri = followed_calls(c); ri; ri = ri->next)
		if (ri->stack == at)
			return ri->orig_ret_vaddr;
	return found;
}

void host_put_returns_back(struct stap_ctx *c, char *bytes, u32 size, u64 from)
{
	const struct return_instance *ri;

	for (ri = followed_calls(c); ri; ri = ri->next)
		if (ri->stack >= from && size >= sizeof(ri->orig_ret_vaddr) &&
		    ri->stack - from <= size - sizeof(ri->orig_ret_vaddr))
			memcpy(bytes + (ri->stack - from), &ri->orig_ret_vaddr, sizeof(ri->orig_ret_vaddr));
}

// --- signals ---

// Can the address be on a stack of signal handlers? While one runs that has asked for no such stack to be in use then
// (SS_AUTODISARM), the task looks as if it had none.
static bool may_be_signal_stack(u64 address)
{
	if (current->sas_ss_size)
		return address - current->sas_ss_sp < current->sas_ss_size;
	return current->sas_ss_flags & SS_DISABLE;
}

// What a signal has left there of the state that it interrupted says which stack it has gone to. The process may have
// written anything there; the worst that comes of it is a stack that ends early.
static u64 interrupted_at(const struct rt_sigframe *frame, u64 address)
{
	const struct ucontext *state = &frame->uc;
	const u64 low = (unsigned long)state->uc_stack.ss_sp, size = state->uc_stack.ss_size;

	if ((state->uc_mcontext.cs & SEGMENT_RPL_MASK) != USER_RPL || state->uc_link)
		return 0;
	return address - low < size && state->uc_mcontext.sp - low >= size ? state->uc_mcontext.sp - RED_ZONE : 0;
}

u64 host_interrupted_stack(const char *bytes, u32 size, u64 from)
{
	u64 found = 0;
	u32 at;

	if (!may_be_signal_stack(from))
		return 0;
	// A frame begins as after a call: 8 bytes below a multiple of 16. It is the outermost that interrupted another
	// stack.
	for (at = (8 - (u32)from) & 15; !found && at + sizeof(struct rt_sigframe) <= size; at += 16)
		found = interrupted_at((const struct rt_sigframe *)(bytes + at), from + at);
	return found;
}

// --- who called ---

// The registers that a signal has interrupted: the kernel has left them where the handler returns to, and the handler's
// return has taken the first word of that.
static int interrupted_by_signal(struct stap_user_frame *frame, int *is_exact)
{
	const u64 state = (u64)frame->sp - sizeof(u64) + offsetof(struct rt_sigframe, uc.uc_mcontext);
	struct sigcontext registers;

	if (host_read_user(&registers, state, sizeof(registers)))
		return 1;
	*frame = (struct stap_user_frame){.pc = (s64)registers.ip, .sp = (s64)registers.sp, .fp = (s64)registers.bp};
	*is_exact = 1;
	return 0;
}

// The canonical frame address by the rule; 0: it can't be read.
static u64 frame_address(const struct stap_unwind_rule *rule, const struct stap_user_frame *frame)
{
	u64 address = (u64)frame->fp + (s64)rule->cfa;

	switch (rule->base) {
	case STAP_UNWIND_STACK:
		address = (u64)frame->sp + (s64)rule->cfa;
		return rule->pushed_from && (frame->pc & 15) >= rule->pushed_from ? address + sizeof(u64) : address;
	case STAP_UNWIND_FRAME: return address;
	case STAP_UNWIND_FRAME_WORD: return host_read_user(&address, address, sizeof(address)) ? 0 : address;
	}
	return 0;
}

int host_user_caller(struct stap_ctx *c, struct stap_user_frame *frame, int *is_exact)
{
	const struct stap_unwind_rule *rule = mapped_rule(c, (u64)frame->pc - (*is_exact ? 0 : 1));
	u64 address, back, fp = (u64)frame->fp;

	if (!rule || rule->base == STAP_UNWIND_UNKNOWN)
		return -1;
	if (rule->base == STAP_UNWIND_OUTERMOST)
		return 1;
	if (rule->base == STAP_UNWIND_SIGNAL)
		return interrupted_by_signal(frame, is_exact);
	address = frame_address(rule, frame);
	// A stack grows down: a caller's frame is above, which also bounds the walk of a stack that leads in a circle.
	if (address <= (u64)frame->sp || host_read_user(&back, address - sizeof(back), sizeof(back)))
		return 1;
	if (rule->frame_pointer && host_read_user(&fp, address + (s64)rule->frame_pointer, sizeof(fp)))
		return 1;
	*frame = (struct stap_user_frame){
		.pc = (s64)host_user_return(c, address - sizeof(back), back), .sp = (s64)address, .fp = (s64)fp};
	*is_exact = 0;
	return 0;
}
