// SPDX-License-Identifier: GPL-2.0-or-later
// What the files of the kernel host share among themselves: module state, addresses, attaching.
#ifndef STAP_KERNEL_H
#define STAP_KERNEL_H

#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/ptrace.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include "../abi/event.h"
#include "../host.h"

// --- addresses.c: where things are in the running kernel, as the loader says ---

// A copy of the loader's table of sections, for addresses_set() or kvfree(); NULL when it is empty. Reads the caller's
// memory: no lock may be held. ERR_PTR of -EINVAL for a bad table, -EFAULT, -ENOMEM.
struct stap_ioc_module *addresses_copy(const struct stap_ioc_start *start);
// Takes over the table; process context.
void addresses_set(u64 kernel_text, struct stap_ioc_module *sections, u32 count);
void addresses_free(void);
// The address of `offset` in a section of a module (NULL or "kernel": from _stext); 0: unknown.
u64 addresses_find(const char *module, const char *section, u64 offset);
// The same of a place; 0 too where only the kernel knows it, by its name.
u64 place_address(const struct stap_code_place *place);
// Fills in program->symbols. What can't be found keeps address 0: using it is a read fault.
void addresses_resolve_symbols(struct stap_program *p);
// Entry `index` of the list of sections the program needs: 0, or -ENOENT past the end. One caller at a time.
int addresses_needed(const struct stap_program *p, u32 index, struct stap_ioc_section *out);
static inline bool addresses_is_kernel(const char *module)
{
	return !module || !strcmp(module, "kernel");
}

// --- buildid.c ---

// Are the kernel and the modules those the program was compiled for? 0 or -ESTALE, with a message to the reader.
int buildid_check_all(struct stap_program *p);

// --- memory.c ---

struct vm_area_struct;
// Maps what the caller asks for of the shared area, `size` bytes in all, whose parts may come later: 0; -EINVAL when
// that lies outside, or the mapping is a private one. What is not there when it is touched is a SIGBUS.
int host_shared_map(struct vm_area_struct *vma, u64 size);

// --- spaces.c: process context ---

void spaces_init(void);
// The mappings of a space, copied to the caller's memory when they fit: how many bytes they are; -ENOENT when it is not
// known (any more), -EFAULT, -EINTR.
int spaces_tell(const struct stap_ioc_space *asked);
void spaces_free(void);

// --- control.c, wake.c ---

int control_init(struct stap_program *p);
void control_exit(void);
u32 control_target_pid(void);
bool control_has_reader(void);
// Detaches the probes of a script that has asked for its end. False: a request to the script is under way.
bool control_detach(void);
// Arms and disarms probes as their conditions say. False: not all, or a request to the script is under way.
bool control_arm(void);
void wake_init(void);
void wake_exit(void);
struct wait_queue_head *wake_queue(void);

// --- file.c ---

struct file;
// For reading, to be given back by fput(); ERR_PTR, of -EINVAL for what is no regular file. Process context.
struct file *file_open_regular(const char *name);

// --- target.c: the process of -c or -x with its descendants ---

struct task_struct;
// Follows the family from now on, when there is a target; process context, one at a time, any number of times.
int target_watch(void);
void target_unwatch(void);
// Everybody belongs to it when there is no target. Any context.
bool target_includes(const struct task_struct *task);

// --- unwinder.c ---

void unwinder_unguard(void); // when no call is followed any more; process context

// --- ftrace.c: process context, one at a time ---

// To be called before a kprobe is registered, any number of times: ftrace can't be switched off from then on until the
// release. 0; -EBUSY: it is off, and the kprobe may not be registered; -errno.
int ftrace_hold(void);
void ftrace_release(void);

// --- entries.c: functions' entries by ftrace; process context, unless said otherwise ---

// A probe on a function's entry, or on its return, part of the mechanism's state.
struct entry {
	unsigned long ip;   // of ftrace's call there; 0: there is none
	struct entry *next; // at the same ip
	const struct stap_probe *probe;
	unsigned long address;     // of the function, as scripts see it
	struct kretprobe *returns; // by which calls are followed to their return; NULL: the entry is what is probed
	struct entry *following;   // of all
	bool served;               // ftrace has taken it
	bool disarmed;             // by its condition
	bool unfiltered;           // of the first at its ip: ftrace does not call us there
};
// Before the first question whether one is served. Only an entry that was added, with `returns` set, may be.
void entries_add(struct entry *e, const struct stap_probe *p, unsigned long address);
// Is it hit by ftrace? If not, the probe needs another mechanism.
bool entry_is_served(const struct entry *e);
u32 entry_cost(const struct entry *e); // of a hit of one that is served; any context
int entries_rearm(void);               // does what `disarmed` says by now: 0, or -errno to try it again
void entries_detach(void);             // all of them; when it returns, no handler runs
void entries_release(void);            // the same, and forgets them

// --- cost.c: what a hit costs besides stap_hit(); process context, unless said otherwise ---

// How the kernel comes to a kprobe: by a call (of ftrace's, or the jump that it puts in place of some breakpoints), or
// by a breakpoint; any context.
enum kprobe_way { BY_CALL, BY_BREAKPOINT, KPROBE_WAYS };
enum kprobe_way kprobe_way(const struct kprobe *kp);
bool kprobe_is_jump(const struct kprobe *kp); // rather than a call of ftrace's, or a breakpoint
// Functions to be called with a kprobe on them and without; cost_set_place() sets its place.
extern void (*const cost_function[KPROBE_WAYS])(void);
void cost_set_place(struct kprobe *kp, enum kprobe_way way);
// The probe of a mechanism that measures itself: its hits do nothing.
extern const struct stap_probe cost_no_probe;
bool cost_wanted(void);                   // somebody wants to know
u32 cost_of_call(void (*function)(void)); // the least cycles of several calls
// For mechanisms whose own hits can't be measured, since they take a process: the trap at a breakpoint, and the
// kernel's way to who asked for it; once measured, any context.
void cost_measure_breakpoint(void);
u32 cost_of_breakpoint(void);
void cost_measure_interrupt(void);
u32 cost_of_interrupt(const struct stap_probe *p); // of a timer; once measured, any context

// --- stack.c ---

// Where the run left the stack of whoever was hit: ip, sp and bp of host_run_handler()'s caller. False: it did not.
bool stack_of_hit(const struct stap_ctx *c, struct pt_regs *regs);

// --- processes.c: a table of processes and threads by the address of what stands for them in the kernel ---

enum { PROCESS_BEGUN, PROCESS_ENDED, PROCESS_IN_TARGET };
struct process {
	const void *key;             // a process's signal_struct, a thread's task_struct
	const struct inode *program; // NULL: none, or not known
	unsigned long flags;         // bits of the enumeration
};
int processes_init(void); // 0 or -ENOMEM; process context
void processes_free(void);
u32 processes_without_entry(void); // for how many there was no room
// Any context. NULL: there is none, or no room for it. `program` is that of an entry that is new.
struct process *process_find(const void *key);
struct process *process_add(const void *key, const struct inode *program);
void process_remove(const void *key);

// --- messages to the reader: process context ---
__printf(3, 4) void report(struct stap_program *p, u32 record_kind, const char *format, ...);

// --- attach/: one file a mechanism; NAME.c defines NAME_mechanism, and Kbuild makes the table of them (all.c) ---

// Where to register a kprobe: at the place's address, or by its name. 0, -ENOENT when the address is not known, or
// -EOPNOTSUPP for a function in which a probe would bring the machine down.
int kprobe_set_place(struct kprobe *kp, const struct stap_code_place *place);
// By which kretprobe, registered but not armed, the calls of a function that is only measured go; NULL: by none.
struct kretprobe *return_measured(const struct entry *e);
// Follows the call that is beginning to its return; any context.
void return_follow(const struct entry *e, struct pt_regs *regs);
// To be called before a kprobe is unregistered. The kernel may lack the memory to disarm what goes by ftrace, and then
// keeps it in its lists while its owner gives its memory back: so this is tried until it has succeeded.
void kprobe_disarm(struct kprobe *kp);
// Arms or disarms it for a condition: 0, -ENOMEM. Not for what is gone with its module: that is 0.
int kprobe_rearm(struct kprobe *kp, int on);
// Null when the kernel has none of that name; a module's are not found.
struct tracepoint *tracepoint_find(const char *name);
void tracepoint_measure(void);
u32 tracepoint_cost(const struct stap_probe *p); // of a hit, once measured
// The task that a hit is about. It may be another than the current one only while events_have_tasks is on.
const struct task_struct *event_task(const struct stap_ctx *c);
DECLARE_STATIC_KEY_FALSE(events_have_tasks);
// The time between two hits of a timer that asks for `interval_ns` (0: the kernel's tick).
u64 timer_interval(u64 interval_ns);
// The same for a timer whose intervals vary by up to `randomize_ns`; `random` is the state of its generator, which
// timer_random() begins.
u64 timer_next_interval(u64 interval_ns, u64 randomize_ns, u64 *random);
u64 timer_random(const struct stap_probe *p);
// The session's context, while the script is running: of reports and input, one at a time. Process context.
void session_context_take(void);
void session_context_give(void);
// Has whoever waits for the threads of reports been killed?
bool reports_are_abandoned(void);

// The registers as emitted code sees them are the kernel's own.
static inline const struct stap_regs *as_stap_regs(const struct pt_regs *regs)
{
	BUILD_BUG_ON(sizeof(struct stap_regs) != sizeof(struct pt_regs));
	BUILD_BUG_ON(offsetof(struct stap_regs, ip) != offsetof(struct pt_regs, ip));
	return (const struct stap_regs *)regs;
}

#endif
