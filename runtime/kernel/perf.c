// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of perf events: one on each CPU, or one on each thread of some processes.
//
// The kernel can't make an event while it brings a CPU up, since making one may wait for that to end: a work does it
// shortly after. An event whose CPU has gone counts no more, and is replaced when the CPU comes back.
//
// A process that runs a program later gets its event at the program's first instruction, which a probe of our own is
// on: there events can be made, by the process itself, and nothing of the program is missed.
#include <linux/auxvec.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat.h"
#include "perf.h"

static int perf_hotplug_state; // under which the kernel knows our call
static u32 perf_cpu_sets;      // that are open

// --- on CPUs ---

// The kernel keeps an event's context only with a handler.
static void only_counted(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
}

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
	event = perf_event_create_kernel_counter(&s->attr, c->cpu, NULL, s->hit ?: only_counted, s->probe);
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

// --- on processes ---

#define MOST_THREADS 65536u

bool perf_is_wanted(const struct perf_set *s)
{
	return !s->program || program_of_mm(current->mm) == file_inode(s->program);
}

// Where the program that runs in a memory is entered; 0: that is not known.
static u64 entry_of(const struct mm_struct *mm)
{
	u32 i;

	for (i = 0; i + 1 < ARRAY_SIZE(mm->saved_auxv) && mm->saved_auxv[i] != AT_NULL; i += 2)
		if (mm->saved_auxv[i] == AT_ENTRY)
			return mm->saved_auxv[i + 1];
	return 0;
}

// Where in the task's memory the watched bytes are. False: it has no memory any more.
static bool find_address(struct perf_event_attr *attr, struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);
	u64 entry = mm ? entry_of(mm) : 0;

	if (mm)
		mmput(mm);
	attr->bp_addr += entry;
	return entry;
}

// Has what it watched ended, with all that inherited it?
static bool is_over(struct perf_event *event)
{
	bool childless;

	if (READ_ONCE(event->state) > PERF_EVENT_STATE_EXIT)
		return false;
	mutex_lock(&event->child_mutex);
	childless = list_empty(&event->child_list);
	mutex_unlock(&event->child_mutex);
	return childless;
}

static void release_ended(struct perf_set *s)
{
	u32 i, kept = 0;

	for (i = 0; i < s->thread_count; i++)
		if (is_over(s->threads[i]))
			perf_event_release_kernel(s->threads[i]);
		else
			s->threads[kept++] = s->threads[i];
	s->thread_count = kept;
}

static bool make_room(struct perf_set *s)
{
	u32 room = s->thread_room ? 2 * s->thread_room : 64;
	struct perf_event **more;

	if (s->thread_count < s->thread_room)
		return true;
	release_ended(s);
	if (s->thread_count < s->thread_room / 2)
		return true;
	more = room <= MOST_THREADS ? kvcalloc(room, sizeof(*more), GFP_KERNEL) : NULL;
	if (!more)
		return s->thread_count < s->thread_room;
	if (s->threads)
		memcpy(more, s->threads, s->thread_count * sizeof(*more));
	kvfree(s->threads);
	s->threads = more;
	s->thread_room = room;
	return true;
}

static bool is_followed(const struct perf_set *s, const struct task_struct *task)
{
	u32 i;

	for (i = 0; i < s->thread_count; i++)
		if (s->threads[i]->hw.target == task)
			return true;
	return false;
}

// Makes the task's event, which its children inherit. 0, also when the task has ended, or -errno.
static int follow_task(struct perf_set *s, struct task_struct *task)
{
	struct perf_event_attr attr = s->attr;
	struct perf_event *event;
	int rc = 0;

	if (s->from_entry && !find_address(&attr, task))
		return 0;
	mutex_lock(&s->lock);
	if (!make_room(s)) {
		rc = -ENOMEM;
		goto out;
	}
	event = perf_event_create_kernel_counter(&attr, -1, task, s->hit ?: only_counted, s->probe);
	if (!IS_ERR(event))
		s->threads[s->thread_count++] = event;
	else if (PTR_ERR(event) != -ESRCH)
		rc = PTR_ERR(event);
out:
	mutex_unlock(&s->lock);
	return rc;
}

// The processes that are meant. One that becomes the program later, as the -c command does, is followed from there.
static bool is_meant(const struct perf_set *s, struct task_struct *leader, const struct task_struct *target)
{
	bool runs;

	if (!s->program)
		return leader == target;
	if (!target_includes(leader))
		return false;
	task_lock(leader);
	runs = program_of_mm(leader->mm) == file_inode(s->program);
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

// A thread that is made meanwhile by one that has its event inherits it; a process that has begun the program meanwhile
// has made its own.
static int follow_present(struct perf_set *s, u32 pid)
{
	u32 room = find_threads(s, pid, NULL, 0), count, i;
	struct task_struct **threads = kvcalloc(room + 1, sizeof(*threads), GFP_KERNEL);
	int rc = 0;

	if (!threads)
		return -ENOMEM;
	count = find_threads(s, pid, threads, room);
	for (i = 0; i < count; i++) {
		if (!rc && !is_followed(s, threads[i]))
			rc = follow_task(s, threads[i]);
		put_task_struct(threads[i]);
	}
	kvfree(threads);
	return rc || s->thread_count || s->program ? rc : -ESRCH;
}

static void close_on_tasks(struct perf_set *s)
{
	u32 i;

	for (i = 0; i < s->thread_count; i++)
		perf_event_release_kernel(s->threads[i]);
	kvfree(s->threads);
	s->threads = NULL;
	s->thread_count = s->thread_room = 0;
}

static struct perf_event *event_of_task(const struct perf_set *s);

// It may have an event from before: it ran the program already, or was forked by one that does.
static int program_starts(struct uprobe_consumer *consumer, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct perf_set *s = container_of(consumer, struct perf_set, start.consumer);
	unsigned long irq_flags;
	bool has_event;

	if (!uprobe_at_wanted(&s->start))
		return uprobe_at_unwanted(&s->start);
	local_irq_save(irq_flags);
	has_event = event_of_task(s) != NULL;
	local_irq_restore(irq_flags);
	if (!has_event && follow_task(s, current))
		__atomic_fetch_add(&s->unfollowed, 1, __ATOMIC_RELAXED);
	return 0;
}

// An event at an address is of no use to another program: an exec ends it.
static int open_on_processes(struct perf_set *s, const char *program, u32 pid, const struct stap_file_place *start)
{
	int rc = 0;

	mutex_init(&s->lock);
	s->attr.inherit = 1;
	// The scheduler lets a parent and a child change events when it switches between them; this has it change the
	// counts back.
	s->attr.inherit_stat = !s->hit;
	if (s->from_entry)
		compat_perf_end_at_exec(&s->attr);
	if (*program) {
		struct file *file = file_open_regular(program);

		if (IS_ERR(file))
			return PTR_ERR(file);
		s->program = file;
		s->start.consumer.handler = program_starts;
		rc = uprobe_at_register(&s->start, s->probe, start);
		if (rc)
			goto no_start;
	}
	rc = follow_present(s, pid);
	if (!rc)
		return 0;
	if (s->program) {
		uprobe_at_unregister(&s->start);
		uprobe_at_wait();
		uprobe_at_close(&s->start);
	}
	close_on_tasks(s);
no_start:
	if (s->program)
		fput(s->program);
	s->program = NULL;
	return rc;
}

int perf_open(struct perf_set *s, u64 bound, const char *program, u64 pid, const struct stap_file_place *start)
{
	return bound ? open_on_processes(s, program, pid ?: control_target_pid(), start) : open_on_cpus(s);
}

void perf_close(struct perf_set *s)
{
	if (s->cpus) {
		close_on_cpus(s);
		return;
	}
	if (s->program) {
		uprobe_at_unregister(&s->start);
		uprobe_at_wait();
		uprobe_at_close(&s->start);
	}
	close_on_tasks(s);
	if (s->program)
		fput(s->program);
	s->program = NULL;
	if (s->unfollowed)
		report(&stap_program, STAP_RECORD_WARN, "probe %s: %u processes that began later were not followed",
		       s->probe->point, s->unfollowed);
	s->unfollowed = 0;
}

// --- reading ---

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
		list_for_each_entry_rcu(event, &context->event_list, event_entry, true)
		{
			if (event->overflow_handler_context == s->probe && event->state > PERF_EVENT_STATE_EXIT)
				return event;
		}
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
