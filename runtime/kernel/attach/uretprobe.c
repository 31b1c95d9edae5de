// SPDX-License-Identifier: GPL-2.0-or-later
// Returns of programs' functions by uprobe: STAP_ATTACH_URETPROBE. What the script wants of the entry (@entry) is kept
// in a pool until the return.
//
// The kernel offers no room for a call's values before 6.13, and then one word, so calls are found again by what
// identifies them: the task, the program that it runs, and where on the stack its return address is. Of calls that
// never return (longjmp, exceptions, the task's end) nobody is told. They are given back when the task calls again from
// higher up its stack, or when the pool is empty and the task is found to be gone.
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "../compat.h"
#include "../uprobe.h"

#define BUCKET_BITS 6

struct call {
	struct call *next; // of the bucket, the latest first, or of the free ones
	const struct task_struct *task;
	u64 task_start, program; // of this number only one task ever is, and of this one its programs
	pid_t pid;
	unsigned long stack; // where the return address is
	stap_long saved[];
};

struct uretprobe_state {
	struct uprobe_at at;
	raw_spinlock_t lock; // the rest
	struct call *buckets[1 << BUCKET_BITS];
	struct call *free;
	char *calls; // all of them
	u32 call_count, call_size;
	unsigned long searched; // when those of tasks that are gone were looked for
	atomic_long_t unfollowed;
	long unfollowed_counted;
};

static struct uretprobe_state *state_of(struct uprobe_consumer *consumer)
{
	return container_of(consumer, struct uretprobe_state, at.consumer);
}

static struct call **bucket_of(struct uretprobe_state *s, const struct task_struct *task)
{
	return &s->buckets[hash_ptr(task, BUCKET_BITS)];
}

static bool is_of_current(const struct call *call)
{
	return call->task == current && call->task_start == current->start_time &&
	       call->program == current->self_exec_id;
}

// Takes the call that `link` leads to out of its bucket.
static void give_back(struct uretprobe_state *s, struct call **link)
{
	struct call *call = *link;

	*link = call->next;
	call->next = s->free;
	s->free = call;
}

// How many calls of the function with this stack pointer the kernel follows: more than one, where tail calls led back
// to it.
static u32 followed_at(unsigned long function, unsigned long stack)
{
	const struct return_instance *ri = current->utask ? current->utask->return_instances : NULL;
	u32 n = 0;

	for (; ri; ri = ri->next)
		n += ri->func == function && ri->stack == stack;
	return n;
}

// The function is entered, so what the task called further down its stack has ended.
static void forget_ended(struct uretprobe_state *s, const struct pt_regs *regs)
{
	struct call **link = bucket_of(s, current);
	u32 alive_here = 0;

	while (*link) {
		const struct call *call = *link;
		bool is_dead = false;

		if (call->task == current) {
			if (call->stack == regs->sp && is_of_current(call))
				is_dead = ++alive_here > followed_at(regs->ip, regs->sp);
			else
				is_dead = call->stack <= regs->sp || !is_of_current(call);
		}
		if (is_dead)
			give_back(s, link);
		else
			link = &(*link)->next;
	}
}

static bool is_gone(const struct call *call)
{
	const struct task_struct *task = pid_task(find_pid_ns(call->pid, &init_pid_ns), PIDTYPE_PID);

	return !task || task->start_time != call->task_start || task->self_exec_id != call->program;
}

// Once a tick at most: it goes over all of them.
static void forget_gone(struct uretprobe_state *s)
{
	u32 i;

	if (s->searched == jiffies)
		return;
	s->searched = jiffies;
	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(s->buckets); i++) {
		struct call **link = &s->buckets[i];

		while (*link)
			if (is_gone(*link))
				give_back(s, link);
			else
				link = &(*link)->next;
	}
	rcu_read_unlock();
}

// NULL: all are in use.
static struct call *take_call(struct uretprobe_state *s, const struct pt_regs *regs)
{
	struct call *call;
	unsigned long flags;

	raw_spin_lock_irqsave(&s->lock, flags);
	forget_ended(s, regs);
	if (!s->free)
		forget_gone(s);
	call = s->free;
	if (call)
		s->free = call->next;
	raw_spin_unlock_irqrestore(&s->lock, flags);
	return call;
}

static void follow_call(struct uretprobe_state *s, struct call *call, const struct pt_regs *regs)
{
	struct call **bucket = bucket_of(s, current);
	unsigned long flags;

	call->task = current;
	call->task_start = current->start_time;
	call->program = current->self_exec_id;
	call->pid = current->pid;
	call->stack = regs->sp;
	raw_spin_lock_irqsave(&s->lock, flags);
	call->next = *bucket;
	*bucket = call;
	raw_spin_unlock_irqrestore(&s->lock, flags);
}

// The latest one from there; NULL when it was not followed.
static struct call *find_call(struct uretprobe_state *s, unsigned long stack)
{
	struct call **link, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&s->lock, flags);
	for (link = bucket_of(s, current); *link && !found; link = &(*link)->next)
		if ((*link)->stack == stack && is_of_current(*link)) {
			found = *link;
			*link = found->next;
			break;
		}
	raw_spin_unlock_irqrestore(&s->lock, flags);
	return found;
}

static void drop_call(struct uretprobe_state *s, struct call *call)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&s->lock, flags);
	call->next = s->free;
	s->free = call;
	raw_spin_unlock_irqrestore(&s->lock, flags);
}

// 0, or why the return is not to be shown.
static int save_entry(struct uretprobe_state *s, struct pt_regs *regs)
{
	struct stap_event event = {.regs = as_stap_regs(regs), .data = (void *)regs->ip};
	struct call *call = take_call(s, regs);

	if (!call) {
		atomic_long_inc(&s->unfollowed);
		return COMPAT_UPROBE_IGNORE;
	}
	event.saved = call->saved;
	if (stap_hit_entry(s->at.probe, &event)) {
		drop_call(s, call);
		return COMPAT_UPROBE_IGNORE;
	}
	follow_call(s, call, regs);
	return 0;
}

static int uretprobe_entered(struct uprobe_consumer *consumer, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uretprobe_state *s = state_of(consumer);

	if (!uprobe_at_wanted(&s->at))
		return uprobe_at_unwanted(&s->at);
	// The kernel follows no more calls of a task than that, and tells nobody.
	if (current->utask && current->utask->depth >= MAX_URETPROBE_DEPTH) {
		atomic_long_inc(&s->unfollowed);
		return COMPAT_UPROBE_IGNORE;
	}
	return s->at.probe->entry ? save_entry(s, regs) : 0;
}

// The return address was taken off the stack.
static int uretprobe_returned(struct uprobe_consumer *consumer, unsigned long function,
			      struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct uretprobe_state *s = state_of(consumer);
	struct stap_event event = {.regs = as_stap_regs(regs), .data = (void *)function};
	struct call *call;

	if (!uprobe_at_wanted(&s->at))
		return 0;
	if (!s->at.probe->entry) {
		stap_hit(s->at.probe, &event);
		return 0;
	}
	call = find_call(s, regs->sp - sizeof(unsigned long));
	if (!call)
		return 0; // that was counted at the entry
	event.saved = call->saved;
	stap_hit(s->at.probe, &event);
	drop_call(s, call);
	return 0;
}

static int make_pool(struct uretprobe_state *s, u32 count, u32 words)
{
	u32 i;

	s->call_size = struct_size((struct call *)NULL, saved, words);
	s->call_count = count;
	s->calls = host_alloc((u64)count * s->call_size);
	if (!s->calls)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct call *call = (struct call *)(s->calls + (u64)i * s->call_size);

		call->next = s->free;
		s->free = call;
	}
	return 0;
}

static void free_pool(struct uretprobe_state *s)
{
	host_free(s->calls, (u64)s->call_count * s->call_size);
	s->calls = NULL;
}

static int uretprobe_attach(struct stap_probe *p)
{
	struct uretprobe_state *s = p->state;
	int rc;

	raw_spin_lock_init(&s->lock);
	s->searched = jiffies - 1;
	s->at.consumer.handler = uretprobe_entered;
	s->at.consumer.ret_handler = uretprobe_returned;
	cost_measure_breakpoint();
	if (p->entry) {
		rc = make_pool(s, p->attach.uretprobe.max_active ?: max(64u, 8 * num_possible_cpus()), p->saved_longs);
		if (rc)
			return rc;
	}
	rc = unwinder_guard(p, &p->attach.uretprobe.raise) ?: unwinder_guard(p, &p->attach.uretprobe.rethrow);
	rc = rc ?: uprobe_at_register(&s->at, p, &p->attach.uretprobe.place);
	if (rc)
		free_pool(s);
	return rc;
}

static void uretprobe_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		uprobe_at_unregister(&((struct uretprobe_state *)probes[i]->state)->at);
	uprobe_at_wait();
	for (i = 0; i < count; i++) {
		struct uretprobe_state *s = probes[i]->state;

		uprobe_at_close(&s->at);
		free_pool(s);
	}
}

static void uretprobe_count_missed(struct stap_probe *p)
{
	struct uretprobe_state *s = p->state;
	long unfollowed = atomic_long_read(&s->unfollowed);

	stap_session_missed(p, STAP_SKIP_ACTIVE, unfollowed - s->unfollowed_counted);
	s->unfollowed_counted = unfollowed;
}

// A place as of uprobe.c at the entry, and the trap of the return address. Where the entry is a hit of its own, each
// has half of it.
static u32 uretprobe_cost(const struct stap_probe *p)
{
	u32 whole = 3 * cost_of_breakpoint();

	return p->entry ? whole / 2 : whole;
}

static const struct stap_file_place *uretprobe_file_place(const struct stap_attach *a)
{
	return &a->uretprobe.place;
}

static const char *uretprobe_way(const struct stap_probe *p)
{
	return "uretprobe";
}

const struct stap_mechanism uretprobe_mechanism = {
	.kind = STAP_ATTACH_URETPROBE,
	.state_size = sizeof(struct uretprobe_state),
	.attach = uretprobe_attach,
	.detach = uretprobe_detach,
	.count_missed = uretprobe_count_missed,
	.cost = uretprobe_cost,
	.way = uretprobe_way,
	.file_place = uretprobe_file_place,
};
