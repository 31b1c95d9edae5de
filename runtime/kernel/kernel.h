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
// Finds the sections of modules that the program needs; before anything else.
void addresses_init(const struct stap_program *p);
// Takes what the loader says, where the kernel has not said anything since addresses_init(); process context.
void addresses_set(u64 kernel_text, const struct stap_ioc_module *sections, u32 count);
void addresses_free(void);
// The address of `offset` in a section of a module (NULL or "kernel": from _stext); 0: unknown.
u64 addresses_find(const char *module, const char *section, u64 offset);
// The same of a place; 0 too where only the kernel knows it, by its name.
u64 place_address(const struct stap_code_place *place);
// Is the place there now? If not, it is one of a module that may come.
bool addresses_has_place(const struct stap_code_place *place);
bool addresses_is_init(const struct stap_code_place *place); // gone when its module is up
bool addresses_is_loaded(const char *module);
// Does a place's module (NULL: the kernel) have that name?
bool addresses_is_module(const char *module, const char *name);
// Fills in program->symbols. What can't be found keeps address 0: using it is a read fault.
void addresses_resolve_symbols(struct stap_program *p);
// Entry `index` of the list of sections the program needs: 0, or -ENOENT past the end.
int addresses_needed(u32 index, struct stap_ioc_section *out);
// Does the program need anything of the module? And has the kernel told of it already? Those below tell.
bool addresses_needs_module(const char *module);
bool addresses_was_told(const char *module);
struct module;
// The module is there: 0, or -ESTALE when it is another build, and then nothing of it is known. With modules_lock()
// held.
int addresses_module_comes(const struct stap_program *p, const struct module *module, bool with_init);
void addresses_module_goes(const char *module, bool only_init); // what is freed once it is up, or all of it
static inline bool addresses_is_kernel(const char *module)
{
	return !module || !strcmp(module, "kernel");
}

// --- buildid.c ---

// Is the kernel the one the program was compiled for? 0 or -ESTALE, with a message to the reader. Modules that are not
// those are said to be, and their addresses are forgotten.
int buildid_check_all(struct stap_program *p);
// The same of a module that is being loaded: 0, or -ESTALE with a message.
int buildid_find(const struct module *module, const struct stap_module_id *m);

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
// The spaces above a number, as many as fit: how many bytes were copied, -EFAULT, -EINTR.
int spaces_list(const struct stap_ioc_space *asked);
// Of the current process, at a hit: the number of the file (user_files_number()) that had the address mapped executable
// when the process was last looked at, and where in the file that is. 0: that is not known (yet).
u32 spaces_file(u64 address, u64 *offset);
void spaces_free(void);

// --- mapped.c ---
struct stap_unwind_rule;
// The inode that mappings of an opened file have: on an overlay that of the file below. Process context.
struct inode *mapped_inode(const struct file *file);
// How the current process's code at the address is unwound; NULL: that is not known, or can't be found out here.
const struct stap_unwind_rule *mapped_rule(const struct stap_ctx *c, u64 address);

// --- user_files.c ---
struct inode;
struct user_file;
// Of the reader's struct stap_ioc_user_file; an error pointer. What is not added is to be dropped.
struct user_file *user_file_copy(const void __user *user);
void user_file_drop(struct user_file *f);
int user_file_add(struct user_file *f); // before handlers run; 0, or -ENOSPC
bool user_files_are_there(void);
u32 user_files_number(const struct inode *inode); // 0: nothing is known of the file
// As host_user_symbol().
int user_files_symbol(u32 file, u64 offset, struct host_user_symbol *found);
// The rule for the code at the offset; NULL: none is known.
const struct stap_unwind_rule *user_files_rule(u32 file, u64 offset);
void user_files_free(void);

// --- control.c, wake.c ---

int control_init(struct stap_program *p);
void control_exit(void);
u32 control_target_pid(void);
u32 control_reader_pid(void); // the process that has opened the file; 0: nobody has yet. Any context
bool control_has_reader(void);
// Detaches the probes of a script that has asked for its end. False: a request to the script is under way.
bool control_detach(void);
// Arms and disarms probes as their conditions say. False: not all, or a request to the script is under way.
bool control_arm(void);
// Calls it while nobody else writes records on the session's behalf. False: somebody does just now.
bool control_try(void (*work)(void));
void wake_init(void);
void wake_exit(void);
struct wait_queue_head *wake_queue(void);

// --- file.c ---

struct file;
// For reading, to be given back by fput(); ERR_PTR, of -EINVAL for what is no regular file. Process context.
struct file *file_open_regular(const char *name);

// --- unwinder.c ---

void unwinder_unguard(void); // when no call is followed any more; process context

// --- ftrace.c: process context, one at a time ---

// To be called before a kprobe is registered, any number of times: ftrace can't be switched off from then on until the
// release. 0; -EBUSY: it is off, and the kprobe may not be registered; -errno.
int ftrace_hold(void);
void ftrace_release(void);

// --- modules.c: modules that come and go; process context ---

int modules_init(void); // 0 or -errno
void modules_exit(void);
// Held by mechanisms while they attach or detach probes on code, and when one of a module comes or goes.
void modules_lock(void);
void modules_unlock(void);
// From the first preparation of such a mechanism, until the first detaches, it is told what comes and goes: with the
// lock held.
void modules_open(void);
void modules_close(void);
void modules_tell_waiting(void); // says once which modules probes wait for

// What such a mechanism does besides, with the lock held.
struct code_mechanism {
	u32 kind; // enum stap_attach_kind
	// Looks where the probe's place is now, and hands its entry to entries.c. What is wrong, put() says.
	void (*find)(struct stap_probe *p);
	int (*put)(struct stap_probe *p); // attaches one that find() has found, or that waits: 0 or -errno
	struct entry *(*entry)(const struct stap_probe *p);
	// Takes the probes away, whose entries are gone already. Afterwards they wait.
	void (*lift)(struct stap_probe *const *probes, u32 count);
};
extern const struct code_mechanism kprobe_code, kretprobe_code;

// --- entries.c: functions' entries by ftrace; process context, unless said otherwise ---

// A probe on a function's entry, or on its return, part of the mechanism's state.
struct entry {
	unsigned long ip;    // of ftrace's call there; 0: there is none
	struct entry *chain; // the first one at another ip, in the same line of the table
	struct entry *next;  // at the same ip
	const struct stap_probe *probe;
	unsigned long address;     // of the function, as scripts see it
	struct kretprobe *returns; // by which calls are followed to their return; NULL: the entry is what is probed
	struct entry *following;   // of those that were added last
	bool served;               // ftrace has taken it
	bool disarmed;             // by its condition
	bool unfiltered;           // of the first at its ip: ftrace does not call us there
};
// So many entries may be added later, when their modules come; before the first question whether one is served.
void entries_expect(u32 count);
// Only an entry that was added, with `returns` set, may be served: at the first question whether one is, or, from then
// on, by entries_serve().
void entries_add(struct entry *e, const struct stap_probe *p, unsigned long address);
void entries_serve(void);
// Forgets some entries of functions that are about to go: nobody at their addresses is called any more. They may be
// added again when none of them is left.
#define MOST_REMOVED_ENTRIES 256
void entries_remove(struct entry *const *list, u32 count);
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

// --- processes.c: the target's family, or all processes ---

struct task_struct;
struct mm_struct;
// Follows the family from now on, when there is a target; without one `all` processes, or none. Process context, one at
// a time, any number of times. 0, -ENOMEM, -ENOENT: the kernel lacks what tells of processes.
int processes_follow(bool all);
void processes_unfollow(void);
// Everybody belongs to the target when there is none. After processes_follow(), any context.
bool target_includes(const struct task_struct *task);
// The kernel's own threads are no processes, whomever they work for.
bool is_user_process(const struct task_struct *task);
// The program that runs in a memory: to be compared only. NULL: none, as when it is the kernel's.
const struct inode *program_of_mm(const struct mm_struct *mm);

enum { PROCESS_BEGUN, PROCESS_ENDED };
struct process {
	const void *key;             // a process's signal_struct, a thread's task_struct
	const struct inode *program; // NULL: none, or not known
	unsigned long flags;         // bits of the enumeration
};
// The entry of who is followed; any context. NULL: there is none, or no room for it. `program` is that of an entry that
// is new. Entries go with what they stand for.
struct process *process_find(const void *key);
struct process *process_add(const void *key, const struct inode *program);

// --- messages.c: messages to the reader; process context ---

// By who has the session to himself: a request to the script, or a work by control_try().
__printf(3, 4) void report(struct stap_program *p, u32 record_kind, const char *format, ...);
// By anybody, until messages_exit(); soon, or when the session starts.
__printf(2, 3) void report_later(u32 record_kind, const char *format, ...);
// Nothing is attached any more: what was said with report_later() is reported.
void messages_flush(void);
void messages_exit(void); // nobody says anything any more
// The same as host_attach_failed(), for a probe that could not be attached when its module came.
void attach_failed_later(const struct stap_probe *p, int rc);

// --- attach/: one file a mechanism; NAME.c defines NAME_mechanism, and Kbuild makes the table of them (all.c) ---

// Where to register a kprobe: at the place's address, or by its name. 0; -EAGAIN while its module is not there; -ENOENT
// when the address is not known; or -EOPNOTSUPP for a function in which a probe would bring the machine down.
int kprobe_set_place(struct kprobe *kp, const struct stap_code_place *place);
// By which kretprobe, registered but not armed, the calls of a function that is only measured go; NULL: by none.
struct kretprobe *return_measured(const struct entry *e);
// Follows the call that is beginning to its return; any context.
void return_follow(const struct entry *e, struct pt_regs *regs);
// To be called before a kprobe is unregistered. The kernel may lack the memory to disarm what goes by ftrace, and then
// keeps it in its lists while its owner gives its memory back: so this is tried until it has succeeded.
void kprobe_disarm(struct kprobe *kp);
// The same, and waits until the kernel has taken back a jump, which it does some time later. A kprobe whose module goes
// before is never forgotten, and no other can be registered at its address (-EINVAL).
void kprobe_disarm_now(struct kprobe *kp);
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
bool session_context_try(void); // false: it is taken
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
