// SPDX-License-Identifier: GPL-2.0-or-later
// CPUs, clocks and stacks, as the core asks for them in any context, NMI included.
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include "compat.h"
#include "kernel.h"

u32 host_cpu_count(void)
{
	return nr_cpu_ids; // possible CPUs are numbered below this, perhaps with holes
}

u32 host_online_cpu_count(void)
{
	return num_online_cpus();
}

// The untraced forms: tracing this from inside a probe would recurse. Each hit pays for these.
static __always_inline u64 interrupts_off(void)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	return flags | compat_lockdep_irqs_off();
}

static __always_inline void interrupts_restore(u64 saved)
{
	compat_lockdep_irqs_restore(saved);
	raw_local_irq_restore((unsigned long)saved);
}

void host_interrupts_off(u64 *saved)
{
	*saved = interrupts_off();
}

void host_interrupts_restore(u64 saved)
{
	interrupts_restore(saved);
}

u32 host_pin(u64 *pinned)
{
	*pinned = interrupts_off();
	return raw_smp_processor_id();
}

void host_unpin(u32 cpu, u64 pinned)
{
	interrupts_restore(pinned);
}

int host_is_atomic(void)
{
	return 1;
}

int host_can_wait(u64 pinned)
{
	return !raw_irqs_disabled_flags((unsigned long)pinned);
}

int host_in_nmi(void)
{
	return in_nmi() != 0;
}

u64 host_clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

u64 host_cycles(void)
{
	return get_cycles();
}

// Handlers run with interrupts off. An interrupt's time is counted: no clock tells it apart in any context.
u64 host_own_cycles(u64 cycles)
{
	return cycles;
}

int host_wait_begin(void)
{
	return compat_recursion_lock();
}

void host_wait_end(int token)
{
	compat_recursion_unlock(token);
}

void host_relax(void)
{
	cpu_relax();
}

// Begin, end and error probes run on a task's own stack; its lowest word is the kernel's mark.
char *host_stack_low(void)
{
	return (char *)end_of_stack(current) + sizeof(long);
}

void host_log(int is_error, const char *text, u32 len)
{
	if (is_error)
		pr_err("%s: %.*s\n", stap_program.name, (int)len, text);
	else
		pr_warn("%s: %.*s\n", stap_program.name, (int)len, text);
}
