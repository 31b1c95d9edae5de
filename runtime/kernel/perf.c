// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of perf events: one on each CPU, or one on each thread of some processes.
//
// The kernel can't make an event while it brings a CPU up, since making one may wait for that to end: a work does it
// shortly after. An event whose CPU has gone counts no more, and is replaced when the CPU comes back.
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat.h"
#include "perf.h"

static int perf_hotplug_state; // under which the kernel knows our call
static u32 perf_cpu_sets;      // that are open

// --- on CPUs
// ----------------------------------------------------------------------------------------------------------

// Replaces the event of a CPU. 0, also when the CPU is not there, or -errno.
static int renew_event(struct perf_cpu *c)
{
	struct perf_set *s = c->set;
	struct perf_event *event;
	int rc = 0;

	mutex_lock(&s->lock);
	event = c->event;
	WRITE_ONCE(c->event, NULL); // the kernel frees it after a grace period
	if (event)
		perf_event_release_kernel(event);
	event = perf_event_create_kernel_counter(&s->attr, c->cpu, NULL, s->hit, s->probe);
	if (IS_ERR(event)) {
		rc = cpu_online(c->cpu) ? PTR_ERR(event) : 0;
		event = NULL;
	}
	WRITE_ONCE(c->event, event);
	mutex_unlock(&s->lock);
	return rc;
}

static void renew_by_work(struct work_struct *work)
{
	struct perf_cpu *c = container_of(work, struct perf_cpu, work);
	int rc = renew_event(c);

	if (rc)
		report(&stap_program, STAP_RECORD_WARN, "probe %s: no event on CPU %u, which came later (rc %d)",
		       c->set->probe->point, c->cpu, rc);
}

static int perf_cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	schedule_work(&hlist_entry(node, struct perf_set, node)->cpus[cpu].work);
	return 0;
}

// The kernel's call is there as long as a set is open on CPUs.
static int perf_hotplug_get(void)
{
	int rc;

	if (!perf_cpu_sets) {
		rc = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "stap/perf:online", perf_cpu_comes, NULL);
		if (rc < 0)
			return rc;
		perf_hotplug_state = rc;
	}
	perf_cpu_sets++;
	return 0;
}

static void perf_hotplug_put(void)
{
	if (!--perf_cpu_sets)
		cpuhp_remove_multi_state(perf_hotplug_state);
}

static void close_on_cpus(struct perf_set *s)
{
	unsigned int cpu;

	cpuhp_state_remove_instance_nocalls(perf_hotplug_state, &s->node);
	perf_hotplug_put();
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		cancel_work_sync(&s->cpus[cpu].work);
		if (s->cpus[cpu].event)
			perf_event_release_kernel(s->cpus[cpu].event);
	}
	kfree(s->cpus);
	s->cpus = NULL;
}

static int open_on_cpus(struct perf_set *s)
{
	unsigned int cpu;
	int rc;

	mutex_init(&s->lock);
	s->cpus = kcalloc(nr_cpu_ids, sizeof(*s->cpus), GFP_KERNEL);
	if (!s->cpus)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		s->cpus[cpu].set = s;
		s->cpus[cpu].cpu = cpu;
		INIT_WORK(&s->cpus[cpu].work, renew_by_work);
	}
	rc = perf_hotplug_get();
	if (!rc) {
		rc = cpuhp_state_add_instance_nocalls(perf_hotplug_state, &s->node);
		if (rc)
			perf_hotplug_put();
	}
	if (rc) {
		kfree(s->cpus);
		s->cpus = NULL;
		return rc;
	}
	for (cpu = 0; cpu < nr_cpu_ids && !rc; cpu++)
		if (cpu_online(cpu))
			rc = renew_event(&s->cpus[cpu]);
	if (rc)
		close_on_cpus(s);
	return rc;
}

// --- on a process
// -----------------------------------------------------------------------------------------------------

static bool runs_program(const struct mm_struct *mm, const struct file *program)
{
	const struct file *running = mm ? rcu_dereference_raw(mm->exe_file) : NULL;

	return running && file_inode(running) == file_inode(program);
}

bool perf_is_wanted(const struct perf_set *s)
{
	return !s->program || runs_program(current->mm, s->program);
}

// The target may be about to become the program: -c's command starts when the script does.
static bool is_meant(const struct perf_set *s, struct task_struct *leader, const struct task_struct *target)
{
	bool runs;

	if (leader == target || !s->program)
		return leader == target;
	task_lock(leader);
	runs = runs_program(leader->mm, s->program);
	task_unlock(leader);
	return runs;
}

// The threads of the processes that are meant, each with a reference when there is a list; returns how many there are.
static u32 find_threads(const struct perf_set *s, u32 pid, struct task_struct **list, u32 room)
{
	struct task_struct *leader, *thread;
	const struct task_struct *target;
	u32 count = 0;

	rcu_read_lock();
	target = pid ? pid_task(find_vpid(pid), PIDTYPE_TGID) : NULL;
	for_each_process(leader)
	{
		if (!is_meant(s, leader, target))
			continue;
		for_each_thread(leader, thread)
		{
			if (list && count == room)
				break;
			if (list)
				get_task_struct(list[count] = thread);
			count++;
		}
	}
	rcu_read_unlock();
	return count;
}

static void close_on_threads(struct perf_set *s)
{
	u32 i;

	for (i = 0; i < s->thread_count; i++)
		perf_event_release_kernel(s->threads[i]);
	kfree(s->threads);
	s->threads = NULL;
	s->thread_count = 0;
}

// A thread that is made meanwhile by one that has its event inherits it.
static int open_on_threads(struct perf_set *s, u32 pid)
{
	u32 room = find_threads(s, pid, NULL, 0), count, i;
	struct task_struct **threads = kcalloc(room + 1, sizeof(*threads), GFP_KERNEL);
	struct perf_event *event;
	int rc = -ESRCH;

	s->threads = kcalloc(room + 1, sizeof(*s->threads), GFP_KERNEL);
	if (!threads || !s->threads)
		room = 0;
	s->attr.inherit = 1;
	count = room ? find_threads(s, pid, threads, room) : 0;
	for (i = 0; i < count; i++) {
		event = perf_event_create_kernel_counter(&s->attr, -1, threads[i], s->hit, s->probe);
		put_task_struct(threads[i]);
		if (!IS_ERR(event))
			s->threads[s->thread_count++] = event;
		else if (PTR_ERR(event) != -ESRCH) // which has ended meanwhile
			rc = PTR_ERR(event);
	}
	if (!threads || !s->threads)
		rc = -ENOMEM;
	kfree(threads);
	if (s->thread_count)
		return 0;
	kfree(s->threads);
	s->threads = NULL;
	return rc;
}

int perf_open(struct perf_set *s, u64 bound, const char *program, u64 pid)
{
	struct file *file = NULL;
	int rc;

	if (!bound)
		return open_on_cpus(s);
	if (*program) {
		file = file_open_regular(program);
		if (IS_ERR(file))
			return PTR_ERR(file);
	}
	s->program = file;
	rc = open_on_threads(s, pid ?: control_target_pid());
	if (rc && file)
		fput(file);
	return rc;
}

void perf_close(struct perf_set *s)
{
	if (s->cpus)
		close_on_cpus(s);
	else
		close_on_threads(s);
	if (s->program)
		fput(s->program);
}

// --- reading
// ----------------------------------------------------------------------------------------------------------

static bool is_of_set(const struct perf_set *s, const struct perf_event *event)
{
	const struct perf_event *ours = event->parent ?: event;
	u32 i;

	for (i = 0; i < s->thread_count; i++)
		if (s->threads[i] == ours)
			return true;
	return false;
}

// The present task's event of the set, its own or one inherited. The list of a running task's events changes on its CPU
// only, and interrupts are off.
static struct perf_event *event_of_task(const struct perf_set *s)
{
	struct perf_event_context *context;
	struct perf_event *event;
	u32 i;

	for (i = 0; i < COMPAT_TASK_CONTEXTS; i++) {
		context = compat_task_context(current, i);
		if (!context)
			continue;
		list_for_each_entry_rcu(event, &context->event_list, event_entry,
					true) if (is_of_set(s, event)) return event;
	}
	return NULL;
}

// As the kernel's perf_event_read_local(), which modules can't call.
int perf_read(const struct perf_set *s, u64 *count)
{
	struct perf_event *event = s->cpus ? READ_ONCE(s->cpus[raw_smp_processor_id()].event) : event_of_task(s);

	if (!event)
		return -ENOENT;
	if (READ_ONCE(event->oncpu) == raw_smp_processor_id())
		event->pmu->read(event);
	*count = local64_read(&event->count);
	return 0;
}
