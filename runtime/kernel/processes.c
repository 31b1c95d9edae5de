// SPDX-License-Identifier: GPL-2.0-or-later
// A table of the user processes there are, for the probes on events of processes (attach/process.c).
//
// The kernel itself keeps some of what those probes must know only for a part of a process's life: a task that exits
// has given its memory and with it its program away before the kernel tells of it, and a process whose parent has ended
// descends from somebody else. Others it does not keep at all: two threads that exit at the same time both find that no
// thread is left. So each process has an entry from the fork to the time its memory is freed. A process's key is its
// signal_struct, which all its threads share and which stays the same through an exec by any of them.
//
// The table is a hash with open addressing. Its size is chosen at the start; a process for which there is no room
// is counted, and its events are missed. Writers take a lock that any context may take. A process's own events read its
// entry without a lock: the entry was there before the process ran, and stays as long as the process does.
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include "kernel.h"

#define LEAST_PROCESSES 2048u

// An entry that was given up. What stands behind it may still be found by way of it.
#define GIVEN_UP ((const void *)1)

static struct process *process_table;
static u32 process_table_bits;
static u32 process_entries; // in use or given up
static u32 processes_missed;
static DEFINE_RAW_SPINLOCK(process_table_lock);

static u32 process_table_size(void)
{
	return 1u << process_table_bits;
}

int processes_init(void)
{
	u32 count = LEAST_PROCESSES;
	const struct task_struct *task;
	const struct task_struct *thread;

	rcu_read_lock();
	for_each_process_thread(task, thread) count++;
	rcu_read_unlock();
	process_table_bits = order_base_2(4 * count);
	process_entries = 0;
	processes_missed = 0;
	process_table = vzalloc(sizeof(*process_table) * process_table_size());
	return process_table ? 0 : -ENOMEM;
}

void processes_free(void)
{
	vfree(process_table);
	process_table = NULL;
}

u32 processes_without_entry(void)
{
	return READ_ONCE(processes_missed);
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
void process_remove(const void *key)
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
