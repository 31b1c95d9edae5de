// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps the kernel's ftrace switched on while kprobes depend on it.
//
// The kernel serves a kprobe at a function's entry by ftrace, and sysctl kernel.ftrace_enabled=0 would end its hits
// without a word to anybody. An ftrace user that says it is permanent makes that write fail with EBUSY instead; kprobes
// do not say so. So a permanent user of our own is registered, on a function that nobody misses an instruction in: the
// one that halts the machine.
//
// Where ftrace is off already no kprobe is registered at all: the kernel's records of a function get out of step when
// its first user comes and goes meanwhile, and the next one makes ftrace give up for good (seen on 6.1).
#include <linux/ftrace.h>
#include "compat.h"
#include "kernel.h"

#ifdef CONFIG_KPROBES_ON_FTRACE

static notrace void kernel_halts(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				 compat_ftrace_regs *regs)
{
}

static struct ftrace_ops permanent;
static bool tried, held;
static int problem; // of the last try

static int keep_on(void)
{
	static unsigned char function[] = "kernel_halt";
	int rc;

	// Every time anew: ftrace_free_filter() leaves pointers to what it frees.
	permanent = (struct ftrace_ops){.func = kernel_halts, .flags = FTRACE_OPS_FL_PERMANENT};
	rc = ftrace_set_filter(&permanent, function, sizeof(function) - 1, 1);
	if (rc)
		return rc;
	rc = register_ftrace_function(&permanent);
	if (rc)
		compat_ftrace_free_filter(&permanent);
	if (rc == -EBUSY)
		report_later(STAP_RECORD_WARN,
			     "kernel.ftrace_enabled is 0: functions can't be probed; set it to 1 with sysctl");
	return rc;
}

int ftrace_hold(void)
{
	if (!tried) {
		tried = true;
		problem = keep_on();
		held = !problem;
	}
	return problem;
}

void ftrace_release(void)
{
	if (held) {
		unregister_ftrace_function(&permanent);
		compat_ftrace_free_filter(&permanent);
	}
	tried = held = false;
}

#else

int ftrace_hold(void)
{
	return 0;
}

void ftrace_release(void)
{
}

#endif
