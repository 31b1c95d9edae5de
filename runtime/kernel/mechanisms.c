// SPDX-License-Identifier: GPL-2.0-or-later
// What attaching and detaching mean for a kernel script as a whole; the mechanisms are in attach/.
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include "kernel.h"

static void file_attach_failed(const struct stap_probe *p, const struct stap_file_place *place, int rc)
{
	const char *why = "";

	switch (-rc) {
	case ENOENT: why = ": there is no such file"; break;
	case ESTALE: why = ": the file has changed since the script was compiled"; break;
	case ENOSYS: why = ": this kernel has no uprobes (CONFIG_UPROBES)"; break;
	case EOPNOTSUPP: why = ": on a 5-byte no-op this kernel's uprobes damage the process's stack"; break;
	case ENOSPC: why = ": there are too many libraries that throw exceptions"; break;
	case ENOEXEC:
	case ENOTSUPP: why = ": the kernel can't put a probe on that instruction"; break;
	}
	report(&stap_program, STAP_RECORD_WARN, "probe %s (%s+0x%llx) registration error (rc %d)%s", p->point,
	       place->path, place->offset, rc, why);
}

// Why a place could not be probed; "" when nothing is known but the error. The copy of an inlined function that begins
// with a tracepoint begins with a static branch.
static const char *why_refused(const struct stap_probe *p, const struct stap_code_place *place, int rc)
{
	if (p->attach.kind == STAP_ATTACH_PROCESS && rc == -ENOENT)
		return ": there is no such file";
	if (rc == -EOPNOTSUPP)
		return ": it can't be probed safely here";
	if (place && rc == -ENOENT && place->symbol)
		return ": the kernel has no such symbol, or its module is not loaded";
	if (place && rc == -EINVAL)
		return ": the kernel changes the instruction there itself (a static branch, as each tracepoint is one), "
		       "or has it on its list of what can't be probed";
	return "";
}

// A probe may be impossible: that is a warning, and the others go on.
int host_attach_failed(const struct stap_probe *p, int rc)
{
	const struct stap_code_place *place = stap_probe_place(p);

	if (stap_probe_file_place(p)) {
		file_attach_failed(p, stap_probe_file_place(p), rc);
		return 0;
	}
	report(&stap_program, STAP_RECORD_WARN, "probe %s (address 0x%llx) registration error (rc %d)%s", p->point,
	       place ? place_address(place) : 0, rc, why_refused(p, place, rc));
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
	entries_release();
	ftrace_release(); // no kprobe is left
	unwinder_unguard();
	target_unwatch();
	synchronize_rcu();
}
