// SPDX-License-Identifier: GPL-2.0-or-later
// The current task, the clocks and the probe point for tapset functions (abi/task.h). Any context; nothing sleeps.
//
// Numbers are those of the initial namespaces: they mean the same whoever is hit. The current task is the one that the
// hit is about: another than the processor's only where a script has probes that are told of others.
#include <linux/cred.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/loadavg.h>
#include <linux/sched/signal.h>
#include <linux/threads.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "kernel.h"

#define MAX_ANCESTORS 1024 // a longer way up ends there

static __always_inline const struct task_struct *hit_task(const struct stap_ctx *c)
{
	return static_branch_unlikely(&events_have_tasks) ? event_task(c) : current;
}

stap_long stap_task_tgid(struct stap_ctx *c)
{
	return hit_task(c)->tgid;
}

stap_long stap_task_pid(struct stap_ctx *c)
{
	return hit_task(c)->pid;
}

// NULL for a task that is no one's child any more: from its reaping on, which a task that nobody waits for does itself
// before it has ended, its parent may be gone. Under rcu_read_lock().
static const struct task_struct *parent(const struct task_struct *task)
{
	return pid_alive(task) ? rcu_dereference(task->real_parent) : NULL;
}

stap_long stap_task_ppid(struct stap_ctx *c)
{
	const struct task_struct *task;
	stap_long tgid;

	rcu_read_lock();
	task = parent(hit_task(c));
	tgid = task ? task->tgid : 0;
	rcu_read_unlock();
	return tgid;
}

stap_long stap_task_pgrp(struct stap_ctx *c)
{
	return __task_pid_nr_ns((struct task_struct *)hit_task(c), PIDTYPE_PGID, &init_pid_ns);
}

stap_long stap_task_sid(struct stap_ctx *c)
{
	return __task_pid_nr_ns((struct task_struct *)hit_task(c), PIDTYPE_SID, &init_pid_ns);
}

stap_long stap_task_uid(struct stap_ctx *c)
{
	kuid_t id = current_uid();

	if (static_branch_unlikely(&events_have_tasks) && event_task(c) != current)
		id = task_cred_xxx(event_task(c), uid);
	return from_kuid(&init_user_ns, id);
}

stap_long stap_task_euid(struct stap_ctx *c)
{
	kuid_t id = current_euid();

	if (static_branch_unlikely(&events_have_tasks) && event_task(c) != current)
		id = task_cred_xxx(event_task(c), euid);
	return from_kuid(&init_user_ns, id);
}

stap_long stap_task_gid(struct stap_ctx *c)
{
	kgid_t id = current_gid();

	if (static_branch_unlikely(&events_have_tasks) && event_task(c) != current)
		id = task_cred_xxx(event_task(c), gid);
	return from_kgid(&init_user_ns, id);
}

stap_long stap_task_egid(struct stap_ctx *c)
{
	kgid_t id = current_egid();

	if (static_branch_unlikely(&events_have_tasks) && event_task(c) != current)
		id = task_cred_xxx(event_task(c), egid);
	return from_kgid(&init_user_ns, id);
}

// A task may rename itself meanwhile: the copy may mix both names, but always ends.
static struct stap_str copy_comm(struct stap_ctx *c, const struct task_struct *task)
{
	char comm[TASK_COMM_LEN];
	struct stap_str s = {comm, 0};

	memcpy(comm, task->comm, TASK_COMM_LEN);
	s.len = strnlen(comm, TASK_COMM_LEN - 1);
	return stap_str_copy(c, s);
}

struct stap_str stap_task_comm(struct stap_ctx *c)
{
	return copy_comm(c, hit_task(c));
}

struct stap_str stap_task_parent_comm(struct stap_ctx *c)
{
	struct stap_str s = {"", 0};
	const struct task_struct *task;

	rcu_read_lock();
	task = parent(hit_task(c));
	if (task)
		s = copy_comm(c, task);
	rcu_read_unlock();
	return s;
}

stap_long stap_task_address(struct stap_ctx *c)
{
	return (stap_long)(unsigned long)hit_task(c);
}

stap_long stap_time_mono_ns(struct stap_ctx *c)
{
	return ktime_get_mono_fast_ns();
}

stap_long stap_time_real_ns(struct stap_ctx *c)
{
	return ktime_get_real_fast_ns();
}

stap_long stap_cycles(struct stap_ctx *c)
{
	return get_cycles();
}

stap_long stap_jiffies(struct stap_ctx *c)
{
	return jiffies;
}

stap_long stap_hz(struct stap_ctx *c)
{
	return HZ;
}

stap_long stap_user_mode(struct stap_ctx *c)
{
	return c->event->regs && user_mode((struct pt_regs *)c->event->regs);
}

stap_long stap_target_pid(struct stap_ctx *c)
{
	return control_target_pid();
}

stap_long stap_reader_pid(void)
{
	return control_reader_pid();
}

// Under rcu_read_lock().
static struct task_struct *task_by_pid(stap_long pid)
{
	return pid > 0 && pid <= PID_MAX_LIMIT ? pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID) : NULL;
}

stap_long stap_task_by_pid(stap_long pid)
{
	stap_long address;

	rcu_read_lock();
	address = (stap_long)(unsigned long)task_by_pid(pid);
	rcu_read_unlock();
	return address;
}

// By the parents as they are now: the table of followed processes is not there in every script, nor at every time.
stap_long stap_target_includes(stap_long pid)
{
	const u32 target = control_target_pid();
	const struct task_struct *task;
	bool included = false;

	rcu_read_lock();
	task = task_by_pid(pid);
	for (int depth = 0; task && target && depth < MAX_ANCESTORS && task->tgid > 1; depth++) {
		if (task->tgid == target) {
			included = true;
			break;
		}
		task = parent(task);
	}
	rcu_read_unlock();
	return included;
}

stap_long stap_load_average(stap_long which)
{
	return which >= 0 && which < 3 ? READ_ONCE(avenrun[which]) : 0;
}

stap_long stap_kernel_stack_size(void)
{
	return THREAD_SIZE;
}

stap_long stap_cpu(struct stap_ctx *c)
{
	return raw_smp_processor_id(); // pinned, but in begin, end and error probes
}

stap_long stap_per_cpu_pointer(stap_long distance)
{
	return (stap_long)(unsigned long)&this_cpu_off + distance;
}

stap_long stap_this_cpu_offset(void)
{
	return (stap_long)__this_cpu_read(this_cpu_off);
}

stap_long stap_cpu_offset(struct stap_ctx *c, stap_long number)
{
	if (number >= 0 && number < nr_cpu_ids && cpu_possible(number))
		return (stap_long)per_cpu_offset(number);
	stap_fail_cstr(c, "there is no CPU with this number");
	return 0;
}

stap_long stap_per_cpu_sum(stap_long pointer)
{
	stap_long sum = 0;
	s32 value;
	int cpu;

	for_each_possible_cpu(cpu) if (!host_read_kernel(&value, (u64)pointer + per_cpu_offset(cpu), sizeof(value)))
		sum += value;
	return sum;
}

struct stap_str stap_probe_point(struct stap_ctx *c)
{
	return stap_cstr(c->probe->point);
}
