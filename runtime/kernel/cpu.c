// SPDX-License-Identifier: GPL-2.0-or-later
// CPUs, clocks and stacks, as the core asks for them in any context, NMI included.
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include "kernel.h"

u32 host_cpu_count(void)
{
	return nr_cpu_ids; // possible CPUs are numbered below this, perhaps with holes
}

u32 host_default_ring_size(void)
{
	return 1u << 20;
}

// The untraced forms: tracing preemption from inside a probe would recurse.
u32 host_pin(void)
{
	preempt_disable_notrace();
	return raw_smp_processor_id();
}

void host_unpin(u32 cpu)
{
	preempt_enable_notrace();
}

u64 host_clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

u64 host_cycles(void)
{
	return get_cycles();
}

// Handlers run with preemption off. An interrupt's time is counted: no clock tells it apart in any context.
u64 host_own_cycles(u64 cycles)
{
	return cycles;
}

void host_relax(void)
{
	cpu_relax();
}

// Exact on a task's stack. Interrupt and exception stacks are of other sizes and their bounds are not for modules to
// see; a page of such a stack is taken to be left, and call depth is then bounded by MAXNESTING alone.
u64 host_stack_left(void)
{
	unsigned long here = (unsigned long)__builtin_frame_address(0);
	unsigned long bottom = (unsigned long)task_stack_page(current);

	if (here >= bottom && here < bottom + THREAD_SIZE)
		return here - bottom;
	return PAGE_SIZE;
}

void host_log(int is_error, const char *text, u32 len)
{
	if (is_error)
		pr_err("%s: %.*s\n", stap_program.name, (int)len, text);
	else
		pr_warn("%s: %.*s\n", stap_program.name, (int)len, text);
}
