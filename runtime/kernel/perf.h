// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of perf events with one handler, on which the mechanisms for perf events and for watchpoints stand.
#ifndef STAP_KERNEL_PERF_H
#define STAP_KERNEL_PERF_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/workqueue.h>
#include "uprobe.h"

struct perf_cpu {
	struct perf_event *event; // NULL: there is none
	struct perf_set *set;
	struct work_struct work; // makes the event anew
	unsigned int cpu;
};

// An event of the same attributes on each CPU, also on those that come later; or on each thread of some processes, and
// what they fork. Whoever has it fills in `attr`, `hit` (NULL: it only counts), `probe` and `from_entry`.
struct perf_set {
	struct perf_event_attr attr;
	perf_overflow_handler_t hit; // its event's overflow_handler_context is the probe
	struct stap_probe *probe;
	bool from_entry;       // attr.bp_addr counts from where the task's program is entered
	struct perf_cpu *cpus; // one per possible CPU; NULL: it is bound to processes
	struct perf_event **threads;
	u32 thread_count, thread_room;
	u32 unfollowed;         // threads for which there was no event
	struct file *program;   // whose processes are meant; NULL: any
	struct uprobe_at start; // of the program, where others that run it later get an event
	struct hlist_node node; // in the list of whom the kernel calls when a CPU comes
	struct mutex lock;      // of the CPUs' events, or of `threads` and what stands with it
};

// On every CPU, or where the probe's description has bound it. Process context, by one caller at a time. 0 or -errno;
// then nothing is left to be closed. -ESRCH: there is no such process; -ENOENT: no such event, or no such program.
int perf_open(struct perf_set *s, u64 bound, const char *program, u64 pid, const struct stap_file_place *start);
void perf_close(struct perf_set *s); // returns when no handler will be called any more, but for those that run already;
				     // nobody may be in perf_read()
// Is the hit in a process that runs the program that is meant? What a process forks may run another. At a hit.
bool perf_is_wanted(const struct perf_set *s);
// The count of the set's event on this CPU, or of the present task; 0 or -ENOENT when there is none. Any context, with
// interrupts off.
int perf_read(const struct perf_set *s, u64 *count);

#endif
