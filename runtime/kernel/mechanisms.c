// SPDX-License-Identifier: GPL-2.0-or-later
// What attaching and detaching mean for a kernel script as a whole; the mechanisms are in attach/.
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include "kernel.h"

// A probe may be impossible (inlined away, in a section that kprobes refuse): that is a warning, and the others go on.
int host_attach_failed(const struct stap_probe *p, int rc)
{
	const struct stap_code_place *place = stap_probe_place(p);
	u64 address = place ? place_address(place) : 0;

	report(&stap_program, STAP_RECORD_WARN, "probe %s (address 0x%llx) registration error (rc %d)%s", p->point,
	       address, rc,
	       rc == -EOPNOTSUPP ? ": it can't be probed safely here"
	       : rc == -ENOENT && place && place->symbol
		       ? ": the kernel has no such symbol, or its module is not loaded"
		       : "");
	return 0;
}

u64 host_random(void)
{
	return get_random_u64();
}

// A thread of a report is not killed itself.
int host_interrupted(void)
{
	if (current->flags & PF_KTHREAD)
		return reports_are_abandoned() || !control_has_reader();
	return fatal_signal_pending(current);
}

int host_give_way(void)
{
	cond_resched();
	return host_interrupted();
}

// Handlers run with interrupts off, which RCU waits for.
void host_wait_for_handlers(void)
{
	ftrace_release(); // no kprobe is left
	synchronize_rcu();
}
