// SPDX-License-Identifier: GPL-2.0-or-later
// Events of processes: STAP_ATTACH_PROCESS. They begin and end, so do their threads, and they make system calls.
//
// All comes from the kernel's tracepoints, each of which has one function here that looks for the probes concerned. A
// new process or thread is told of by its parent, just before it runs; one that was there when the script started, by
// a kernel thread. Their handlers are about a task that is not the current one: task.c asks event_task() for it. All
// other events are hit in the process itself.
//
// A process begins with its fork and with an exec, and ends with an exec and with its last thread; thread events are
// those of the other threads than its first. Programs are compared by their inodes, which the script keeps.
#include <asm/syscall.h>
#include <linux/binfmts.h>
#include <linux/completion.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/mm_types.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include "../compat.h"
#include "../kernel.h"

struct process_state {
	struct hlist_node link; // in probes_of
	struct stap_probe *probe;
	struct file *file;           // keeps the inode
	const struct inode *program; // NULL: any
	u32 pid;                     // 0: any
};

// What a hit passes as its data.
struct process_hit {
	struct stap_event_values values;
	struct task_struct *task; // NULL: the current one
};

static struct hlist_head probes_of[STAP_PROCESS_EVENTS];
static bool tracking;
static bool begun; // processes that were there at the start are being told of, or have been

DEFINE_STATIC_KEY_FALSE(events_have_tasks);

const struct task_struct *event_task(const struct stap_ctx *c)
{
	const struct process_hit *hit = c->event->data;

	return c->probe->attach.kind == STAP_ATTACH_PROCESS && hit->task ? hit->task : current;
}

// --- which probes a hit is for --------------------------------------------------------------------------------------

static bool is_for(const struct process_state *s, const struct task_struct *task, const struct inode *program)
{
	return (!s->program || s->program == program) && (!s->pid || s->pid == task->tgid);
}

static void hit_process(const struct process_state *s, struct task_struct *task, const struct pt_regs *regs,
			const stap_long *numbers)
{
	struct process_hit hit = {.values = {.numbers = numbers}, .task = task};
	struct stap_event event = {.regs = as_stap_regs(regs), .data = &hit};

	stap_hit(s->probe, &event);
}

// Hits all probes on an event of a task that runs `program`; `other`: it is not the current one.
static void process_event(u32 event, struct task_struct *task, const struct inode *program, bool other)
{
	const struct process_state *s;

	rcu_read_lock();
	hlist_for_each_entry_rcu(s, &probes_of[event], link) if (is_for(s, task, program))
		hit_process(s, other ? task : NULL, NULL, NULL);
	rcu_read_unlock();
}

// --- new processes and threads, and their ends ----------------------------------------------------------------------

// Is this the first to tell of the process or thread? Its fork and the search for those that were there both may.
static bool is_first(struct process *p)
{
	return READ_ONCE(begun) && p && !test_and_set_bit(PROCESS_BEGUN, &p->flags);
}

static bool has_thread_begins(void)
{
	return !hlist_empty(&probes_of[STAP_PROCESS_THREAD_BEGIN]);
}

// The child's entry was made just before (processes.c).
static notrace void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	const struct inode *program;
	struct process *p;

	if (!is_user_process(child))
		return;
	p = process_find(child->signal);
	program = program_of_mm(current->mm);
	if (thread_group_leader(child)) {
		if (is_first(p))
			process_event(STAP_PROCESS_BEGIN, child, program, true);
	} else if (p && has_thread_begins() && is_first(process_add(child, program))) {
		process_event(STAP_PROCESS_THREAD_BEGIN, child, program, true);
	}
}

// The same process goes on, but to scripts one ends and another begins: often the probes are about its program. The -c
// command only begins: it is not told of before.
static notrace void on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	struct process *p = process_find(task->signal);
	const struct inode *program = program_of_mm(task->mm);

	if (!p)
		return;
	if (READ_ONCE(begun) && !is_first(p))
		process_event(STAP_PROCESS_END, task, p->program, false);
	WRITE_ONCE(p->program, program);
	if (READ_ONCE(begun))
		process_event(STAP_PROCESS_BEGIN, task, program, false);
}

static notrace void on_exit(void *data, struct task_struct *task COMPAT_SCHED_PROCESS_EXIT_MORE)
{
	struct process *p = is_user_process(task) ? process_find(task->signal) : NULL;
	const struct inode *program;

	if (!p)
		return;
	program = READ_ONCE(p->program);
	if (!thread_group_leader(task))
		process_event(STAP_PROCESS_THREAD_END, task, program, false);
	if (!atomic_read(&task->signal->live) && test_bit(PROCESS_BEGUN, &p->flags) &&
	    !test_and_set_bit(PROCESS_ENDED, &p->flags))
		process_event(STAP_PROCESS_END, task, program, false);
}

// --- system calls ---------------------------------------------------------------------------------------------------

static __always_inline void on_syscall(u32 event, const struct pt_regs *regs, const stap_long *numbers)
{
	const struct inode *program = program_of_mm(current->mm);
	const struct process_state *s;

	if (!target_includes(current))
		return;
	rcu_read_lock();
	hlist_for_each_entry_rcu(s, &probes_of[event], link) if (is_for(s, current, program))
		hit_process(s, NULL, regs, numbers);
	rcu_read_unlock();
}

// The numbers are $syscall and $arg1 to $arg6.
static notrace void on_sys_enter(void *data, struct pt_regs *regs, long number)
{
	unsigned long args[6];
	stap_long numbers[1 + ARRAY_SIZE(args)] = {number};
	u32 i;

	syscall_get_arguments(current, regs, args);
	for (i = 0; i < ARRAY_SIZE(args); i++)
		numbers[1 + i] = (stap_long)args[i];
	on_syscall(STAP_PROCESS_SYSCALL, regs, numbers);
}

// The numbers are $syscall and $return.
static notrace void on_sys_exit(void *data, struct pt_regs *regs, long result)
{
	const stap_long numbers[] = {syscall_get_nr(current, regs), result};

	on_syscall(STAP_PROCESS_SYSCALL_RETURN, regs, numbers);
}

// --- the tracepoints ------------------------------------------------------------------------------------------------

static struct process_tracepoint {
	const char *name;
	void *function;
	s32 event; // wanted only for probes on this; -1: always
	struct tracepoint *tracepoint;
} process_tracepoints[] = {
	{"sched_process_fork", on_fork, -1},
	{"sched_process_exec", on_exec, -1},
	{"sched_process_exit", on_exit, -1},
	{"sys_enter", on_sys_enter, STAP_PROCESS_SYSCALL},
	{"sys_exit", on_sys_exit, STAP_PROCESS_SYSCALL_RETURN},
};

static void ignore_tracepoint(struct process_tracepoint *t)
{
	if (t->tracepoint)
		tracepoint_probe_unregister(t->tracepoint, t->function, NULL);
	t->tracepoint = NULL;
}

static int follow_tracepoint(struct process_tracepoint *t)
{
	struct tracepoint *found = tracepoint_find(t->name);
	int rc = found ? tracepoint_probe_register(found, t->function, NULL) : -ENOENT;

	if (!rc)
		t->tracepoint = found;
	return rc;
}

static void stop_tracking(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(process_tracepoints); i++)
		ignore_tracepoint(&process_tracepoints[i]);
	tracepoint_synchronize_unregister();
	tracking = false;
}

static int start_tracking(void)
{
	int rc = processes_follow(true);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(process_tracepoints) && !rc; i++)
		if (process_tracepoints[i].event < 0)
			rc = follow_tracepoint(&process_tracepoints[i]);
	if (rc) {
		stop_tracking();
		return rc;
	}
	WRITE_ONCE(begun, false);
	tracking = true;
	return 0;
}

static int follow_event(u32 event)
{
	int rc = tracking ? 0 : start_tracking();
	u32 i;

	for (i = 0; i < ARRAY_SIZE(process_tracepoints) && !rc; i++)
		if (process_tracepoints[i].event == (s32)event && !process_tracepoints[i].tracepoint)
			rc = follow_tracepoint(&process_tracepoints[i]);
	return rc;
}

static bool has_other_probes(void)
{
	u32 i;

	for (i = 0; i < STAP_PROCESS_EVENTS; i++)
		if (!hlist_empty(&probes_of[i]))
			return true;
	return false;
}

static void close_program(struct process_state *s)
{
	if (s->file)
		fput(s->file);
	s->file = NULL;
}

static int process_attach(struct stap_probe *p)
{
	const struct stap_attach_process *a = &p->attach.process;
	struct process_state *s = p->state;
	int rc;

	if (a->event >= STAP_PROCESS_EVENTS)
		return -EINVAL;
	if (*a->path) {
		struct file *file = file_open_regular(a->path);

		if (IS_ERR(file))
			return PTR_ERR(file);
		s->file = file;
		s->program = file_inode(file);
	}
	tracepoint_measure();
	s->probe = p;
	s->pid = (u32)a->pid;
	rc = follow_event((u32)a->event);
	if (rc) {
		close_program(s);
		if (tracking && !has_other_probes())
			stop_tracking();
		return rc;
	}
	if (a->event == STAP_PROCESS_BEGIN || a->event == STAP_PROCESS_THREAD_BEGIN)
		static_branch_enable(&events_have_tasks);
	hlist_add_tail_rcu(&s->link, &probes_of[a->event]);
	return 0;
}

static void process_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	stop_tracking();
	for (i = 0; i < count; i++) {
		struct process_state *s = probes[i]->state;

		hlist_del_init(&s->link);
		close_program(s);
	}
	static_branch_disable(&events_have_tasks);
}

// --- those that were there at the start -----------------------------------------------------------------------------

struct begin_list {
	struct task_struct **tasks;
	u32 size, count;
	u32 starter; // the process that asked for the start
	bool abandoned;
	struct completion done;
};

// The -c command is a child of staprun's that waits for the start, and begins with its exec.
static bool waits_for_start(const struct begin_list *list, const struct task_struct *task)
{
	return task->tgid == control_target_pid() && (task->flags & PF_FORKNOEXEC) &&
	       rcu_dereference(task->real_parent)->tgid == list->starter;
}

// A process may go on when its first thread has ended. (Before 6.14 thread_group_leader() takes no const pointer.)
static bool has_ended(struct task_struct *task)
{
	return task->exit_state && !(thread_group_leader(task) && atomic_read(&task->signal->live));
}

// Those for which there is no room were forked after the count, and are told of at their forks.
static void list_tasks(struct begin_list *list)
{
	struct task_struct *task, *thread;

	rcu_read_lock();
	for_each_process_thread(task, thread)
	{
		if (list->count >= list->size || !is_user_process(thread) || has_ended(thread) ||
		    waits_for_start(list, thread) || (thread != task && !has_thread_begins()))
			continue;
		get_task_struct(thread);
		list->tasks[list->count++] = thread;
	}
	rcu_read_unlock();
}

// As long as its pid is there its memory is not freed, and so its entry is there: that ends a grace period later.
static void tell_of(struct task_struct *task)
{
	const struct inode *program = NULL;
	bool is_thread = !thread_group_leader(task), first = false;
	struct process *p;

	rcu_read_lock();
	p = pid_alive(task) ? process_find(task->signal) : NULL;
	if (p) {
		program = READ_ONCE(p->program);
		first = is_first(is_thread ? process_add(task, program) : p);
	}
	rcu_read_unlock();
	if (first)
		process_event(is_thread ? STAP_PROCESS_THREAD_BEGIN : STAP_PROCESS_BEGIN, task, program, true);
}

// A thread of the kernel's, since what the handlers read of a process's memory must not be that of the starter.
static int begin_thread(void *data)
{
	struct begin_list *list = data;
	u32 i;

	for (i = 0; i < list->count && !READ_ONCE(list->abandoned) && !host_give_way(); i++)
		tell_of(list->tasks[i]);
	complete(&list->done);
	return 0;
}

static void tell_of_all(struct begin_list *list)
{
	struct task_struct *thread = kthread_create(begin_thread, list, "%s/begin", stap_program.name);

	if (IS_ERR(thread)) {
		report(&stap_program, STAP_RECORD_WARN,
		       "processes that were there at the start are not told of (rc %ld)", PTR_ERR(thread));
		return;
	}
	get_task_struct(thread);
	wake_up_process(thread);
	if (wait_for_completion_killable(&list->done))
		WRITE_ONCE(list->abandoned, true);
	kthread_stop(thread);
	put_task_struct(thread);
}

static void process_started(void)
{
	struct begin_list list = {.starter = current->tgid};
	struct task_struct *task, *thread;
	u32 i;

	WRITE_ONCE(begun, true);
	synchronize_rcu(); // a fork that has not seen it is over, and its process is in the list
	if (hlist_empty(&probes_of[STAP_PROCESS_BEGIN]) && !has_thread_begins() &&
	    hlist_empty(&probes_of[STAP_PROCESS_END]))
		return;
	rcu_read_lock();
	for_each_process_thread(task, thread) list.size++;
	rcu_read_unlock();
	list.tasks = kvmalloc_array(list.size, sizeof(*list.tasks), GFP_KERNEL);
	if (!list.tasks) {
		report(&stap_program, STAP_RECORD_WARN,
		       "no memory: processes that were there at the start are not told of");
		return;
	}
	init_completion(&list.done);
	list_tasks(&list);
	tell_of_all(&list);
	for (i = 0; i < list.count; i++)
		put_task_struct(list.tasks[i]);
	kvfree(list.tasks);
}

static u32 process_cost(const struct stap_probe *p)
{
	return tracepoint_cost(p);
}

const struct stap_mechanism process_mechanism = {
	.kind = STAP_ATTACH_PROCESS,
	.state_size = sizeof(struct process_state),
	.attach = process_attach,
	.detach = process_detach,
	.started = process_started,
	.cost = process_cost,
};
