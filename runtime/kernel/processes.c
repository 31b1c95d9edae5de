// SPDX-License-Identifier: GPL-2.0-or-later
// The processes that a script follows: the target's family, which is the process of -c or -x and all that it and its
// children fork; or, without a target, all that there are, where the script asks for their events (attach/process.c).
//
// The kernel itself keeps some of what must be known only for a part of a process's life: a task that exits has given
// its memory and with it its program away before the kernel tells of it, and a process whose parent has ended descends
// from somebody else. Others it does not keep at all: two threads that exit at the same time both find that no thread
// is left. So each process has an entry from the fork to the time its memory is freed, and those that have one are
// followed. Forks are noted as they happen, before the child runs; who was there before is found once, the family by
// the way up from a child to the target. A process's key is its signal_struct, which all its threads share and which
// stays the same through an exec by any of them.
//
// The table is a hash with open addressing: a hit asks in a few instructions whether its process is followed, whatever
// the family's size. The table's size is chosen at the start; a process for which there is no room is counted, and not
// followed. Writers take a lock that any context may take. A process's own events read its entry without a lock: the
// entry was there before the process ran, and stays as long as the process does.
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm_types.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>
#include "compat.h"
#include "kernel.h"

#define LEAST_PROCESSES 2048u

// An entry that was given up. What stands behind it may still be found by way of it.
#define GIVEN_UP ((const void *)1)

static struct process *process_table;
static u32 process_table_bits;
static u32 process_entries; // in use or given up
static u32 processes_missed;
static DEFINE_RAW_SPINLOCK(process_table_lock);
static bool target_only; // there is a target: who has no entry does not count

// --- the table ------------------------------------------------------------------------------------------------------

static u32 process_table_size(void)
{
	return 1u << process_table_bits;
}

static int make_process_table(void)
{
	u32 count = LEAST_PROCESSES;
	const struct task_struct *task;
	const struct task_struct *thread;

	rcu_read_lock();
	for_each_process_thread(task, thread)
	{
		count++;
	}
	rcu_read_unlock();
	process_table_bits = order_base_2(4 * count);
	process_entries = 0;
	processes_missed = 0;
	process_table = vzalloc(sizeof(*process_table) * process_table_size());
	return process_table ? 0 : -ENOMEM;
}

// The entry, or the place where it is to be put; NULL when there is neither.
static struct process *process_place(const void *key)
{
	u32 mask = process_table_size() - 1, at = hash_ptr(key, process_table_bits), i;
	struct process *free = NULL;

	for (i = 0; i <= mask; i++, at = (at + 1) & mask) {
		struct process *p = &process_table[at];
		const void *there = smp_load_acquire(&p->key);

		if (there == key)
			return p;
		if (there == GIVEN_UP && !free)
			free = p;
		if (!there)
			return free ? free : p;
	}
	return free;
}

struct process *process_find(const void *key)
{
	struct process *p = process_place(key);

	return p && READ_ONCE(p->key) == key ? p : NULL;
}

struct process *process_add(const void *key, const struct inode *program)
{
	unsigned long irq_flags;
	struct process *p;

	raw_spin_lock_irqsave(&process_table_lock, irq_flags);
	p = process_place(key);
	if (p && p->key != key) {
		bool is_new_place = !p->key;

		if (is_new_place && process_entries >= process_table_size() / 4 * 3) {
			p = NULL;
		} else {
			process_entries += is_new_place;
			p->program = program;
			p->flags = 0;
			smp_store_release(&p->key, key);
		}
	}
	if (!p)
		processes_missed++;
	raw_spin_unlock_irqrestore(&process_table_lock, irq_flags);
	return p;
}

// Entries that were given up are free again when nothing stands behind them: the search for what is not there ends at
// the first free one.
static void process_remove(const void *key)
{
	u32 mask = process_table_size() - 1;
	unsigned long irq_flags;
	struct process *p;

	raw_spin_lock_irqsave(&process_table_lock, irq_flags);
	p = process_find(key);
	if (p) {
		u32 at = p - process_table;

		WRITE_ONCE(p->key, GIVEN_UP);
		if (!process_table[(at + 1) & mask].key)
			for (; process_table[at].key == GIVEN_UP; at = (at - 1) & mask) {
				WRITE_ONCE(process_table[at].key, NULL);
				process_entries--;
			}
	}
	raw_spin_unlock_irqrestore(&process_table_lock, irq_flags);
}

// --- who is followed ------------------------------------------------------------------------------------------------

bool target_includes(const struct task_struct *task)
{
	return !target_only || process_find(task->signal);
}

bool is_user_process(const struct task_struct *task)
{
	return !(task->flags & (PF_KTHREAD | COMPAT_PF_USER_WORKER));
}

const struct inode *program_of_mm(const struct mm_struct *mm)
{
	const struct file *file;
	const struct inode *program = NULL;

	rcu_read_lock();
	file = mm ? rcu_dereference(mm->exe_file) : NULL;
	if (file)
		program = file_inode(file);
	rcu_read_unlock();
	return program;
}

static const struct inode *program_of(struct task_struct *task)
{
	const struct inode *program;

	task_lock(task);
	program = program_of_mm(task->mm);
	task_unlock(task);
	return program;
}

static notrace void note_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (thread_group_leader(child) && is_user_process(child) && target_includes(parent))
		process_add(child->signal, program_of_mm(current->mm));
}

// Nobody looks at the task any more, and its memory may become another's.
static notrace void note_free(void *data, struct task_struct *task)
{
	process_remove(task);
	if (thread_group_leader(task))
		process_remove(task->signal);
}

// A child that is forked meanwhile is noted by the tracepoint if its parent was noted before, and else found by the
// next turn: there is one more after each that has found something.
static void note_present(void)
{
	const u32 target = control_target_pid();
	struct task_struct *task;
	bool found = true;

	while (found && !fatal_signal_pending(current)) {
		found = false;
		rcu_read_lock();
		for_each_process(task)
		{
			if (!is_user_process(task) || process_find(task->signal))
				continue;
			if (target_only && task->tgid != target &&
			    !process_find(rcu_dereference(task->real_parent)->signal))
				continue;
			found |= process_add(task->signal, program_of(task)) != NULL;
		}
		rcu_read_unlock();
	}
}

static struct followed_tracepoint {
	const char *name;
	void *function;
	struct tracepoint *tracepoint;
} followed_tracepoints[] = {
	{"sched_process_free", note_free},
	{"sched_process_fork", note_fork},
};

// Whoever else is told of a fork finds the child's entry made.
#define BEFORE_OTHERS (TRACEPOINT_DEFAULT_PRIO + 1)

int processes_follow(bool all)
{
	u32 i;
	int rc;

	if (process_table || (!control_target_pid() && !all))
		return 0;
	rc = make_process_table();
	target_only = !rc && control_target_pid();
	for (i = 0; i < ARRAY_SIZE(followed_tracepoints) && !rc; i++) {
		struct followed_tracepoint *t = &followed_tracepoints[i];
		struct tracepoint *found = tracepoint_find(t->name);

		rc = found ? tracepoint_probe_register_prio(found, t->function, NULL, BEFORE_OTHERS) : -ENOENT;
		if (!rc)
			t->tracepoint = found;
	}
	if (rc)
		processes_unfollow();
	else
		note_present();
	return rc;
}

void processes_unfollow(void)
{
	u32 i;

	if (!process_table)
		return;
	for (i = 0; i < ARRAY_SIZE(followed_tracepoints); i++) {
		struct followed_tracepoint *t = &followed_tracepoints[i];

		if (t->tracepoint)
			tracepoint_probe_unregister(t->tracepoint, t->function, NULL);
		t->tracepoint = NULL;
	}
	tracepoint_synchronize_unregister();
	if (processes_missed)
		report(&stap_program, STAP_RECORD_WARN,
		       "%u processes or threads were not followed: there were more at a time than the script has room for",
		       processes_missed);
	target_only = false;
	vfree(process_table);
	process_table = NULL;
}
