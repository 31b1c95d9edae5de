// SPDX-License-Identifier: GPL-2.0-or-later
// What attaching and detaching mean for a kernel script as a whole; the mechanisms are in attach/.
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include "kernel.h"

static const char *why_file_refused(int rc)
{
	switch (-rc) {
	case ENOENT: return ": there is no such file";
	case ESTALE: return ": the file has changed since the script was compiled";
	case ENOSYS: return ": this kernel has no uprobes (CONFIG_UPROBES)";
	case EOPNOTSUPP: return ": on a 5-byte no-op this kernel's uprobes damage the process's stack";
	case ENOSPC: return ": there are too many libraries that throw exceptions";
	case ENOEXEC:
	case ENOTSUPP: return ": the kernel can't put a probe on that instruction";
	}
	return "";
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

static void failure_text(char *out, u32 size, const struct stap_probe *p, int rc)
{
	const struct stap_file_place *file = stap_probe_file_place(p);
	const struct stap_code_place *place = stap_probe_place(p);

	if (file)
		snprintf(out, size, "probe %s (%s+0x%llx) registration error (rc %d)%s", p->point, file->path,
			 file->offset, rc, why_file_refused(rc));
	else
		snprintf(out, size, "probe %s (address 0x%llx) registration error (rc %d)%s", p->point,
			 place ? place_address(place) : 0, rc, why_refused(p, place, rc));
}

// A probe may be impossible: that is a warning, and the others go on.
int host_attach_failed(const struct stap_probe *p, int rc)
{
	char text[512];

	failure_text(text, sizeof(text), p, rc);
	report(&stap_program, STAP_RECORD_WARN, "%s", text);
	return 0;
}

void attach_failed_later(const struct stap_probe *p, int rc)
{
	char text[512];

	failure_text(text, sizeof(text), p, rc);
	report_later(STAP_RECORD_WARN, "%s", text);
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
	processes_unfollow();
	synchronize_rcu();
	messages_flush();
}
