// SPDX-License-Identifier: GPL-2.0-or-later
// The target's family: the process of -c or -x, and all that it and its children fork while the script runs.
//
// It is kept as a bit for each process id, so that a hit asks in a few instructions whatever the family's size. A
// parent that ends would break the way up from a child to the target, so forks are followed as they happen: the
// tracepoint of a fork comes before the child runs. What is known already of -x PID's family is found by that way,
// once.
#include <linux/bitops.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include "compat.h"
#include "kernel.h"

#define FAMILY_BYTES (BITS_TO_LONGS(PID_MAX_LIMIT) * sizeof(long))

static unsigned long *family; // NULL: everybody belongs to it
static struct tracepoint *fork_point, *exit_point;

bool target_includes(const struct task_struct *task)
{
	const unsigned long *bits = READ_ONCE(family);

	return !bits || test_bit(task->tgid, bits);
}

static void note_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	unsigned long *bits = data;

	if (test_bit(parent->tgid, bits))
		set_bit(child->tgid, bits);
}

// The number is free for another process from the reaping on, which comes later.
static void note_exit(void *data, struct task_struct *task COMPAT_SCHED_PROCESS_EXIT_MORE)
{
	if (!atomic_read(&task->signal->live))
		clear_bit(task->tgid, data);
}

// A child that is forked meanwhile is noted by the tracepoint if its parent was noted before, and else found by the
// next turn: there is one more after each that has found something.
static void note_children(unsigned long *bits)
{
	const struct task_struct *task;
	bool found = true;

	while (found && !fatal_signal_pending(current)) {
		found = false;
		rcu_read_lock();
		for_each_process(task)
		{
			if (test_bit(task->tgid, bits) || !test_bit(rcu_dereference(task->real_parent)->tgid, bits))
				continue;
			set_bit(task->tgid, bits);
			found = true;
		}
		rcu_read_unlock();
	}
}

int target_watch(void)
{
	const u32 pid = control_target_pid();
	unsigned long *bits;
	int rc;

	if (!pid || family)
		return 0;
	if (pid >= PID_MAX_LIMIT)
		return -ESRCH;
	bits = host_alloc(FAMILY_BYTES);
	if (!bits)
		return -ENOMEM;
	set_bit(pid, bits);
	fork_point = tracepoint_find("sched_process_fork");
	exit_point = tracepoint_find("sched_process_exit");
	rc = fork_point && exit_point ? tracepoint_probe_register(exit_point, (void *)note_exit, bits) : -ENOENT;
	if (!rc) {
		rc = tracepoint_probe_register(fork_point, (void *)note_fork, bits);
		if (rc)
			tracepoint_probe_unregister(exit_point, (void *)note_exit, bits);
	}
	if (rc) {
		tracepoint_synchronize_unregister();
		host_free(bits, FAMILY_BYTES);
		return rc;
	}
	note_children(bits);
	WRITE_ONCE(family, bits);
	return 0;
}

void target_unwatch(void)
{
	unsigned long *bits = family;

	if (!bits)
		return;
	tracepoint_probe_unregister(fork_point, (void *)note_fork, bits);
	tracepoint_probe_unregister(exit_point, (void *)note_exit, bits);
	tracepoint_synchronize_unregister();
	WRITE_ONCE(family, NULL);
	host_free(bits, FAMILY_BYTES);
}
