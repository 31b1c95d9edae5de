// SPDX-License-Identifier: GPL-2.0-or-later
// The few things the core asks of where it runs (kernel module or process); each host implements all of them.
#ifndef STAP_HOST_H
#define STAP_HOST_H

#include "abi/program.h"
#include "abi/record.h"

// --- start-up and shut-down: process context, may sleep ---
void *host_alloc(u64 size); // zeroed; NULL when there is none
void host_free(void *p, u64 size);
// The area shared with the reader is made part by part; offsets and sizes of parts are multiples of a page.
int host_shared_reserve(u64 size); // of the whole: 0 or nonzero; takes no memory
// The part there: zeroed, mappable by the reader; NULL when there is no memory.
void *host_shared_alloc(u64 offset, u64 size);
void host_shared_free(void *p, u64 size);
void host_shared_release(u64 size);
u32 host_cpu_count(void);        // possible CPUs (process: number of contexts)
u32 host_online_cpu_count(void); // those that are there now
// Calls stap_session_add_cpu() for each CPU that is online, and until the unwatch for each that comes, before it runs
// anything. 0, or -errno when one of those that are online got no memory.
int host_cpus_watch(void);
void host_cpus_unwatch(void);
u64 host_available_memory(void); // bytes that could be taken without harm to others
u64 host_random(void);           // nobody can foretell it
u32 host_stack_size(void); // bytes of the stack that each context gets; 0: handlers run on the stack they are hit on

// How one kind of probe gets its hits. `probe->state` then points to `state_size` bytes of the mechanism's own, zeroed.
struct stap_mechanism {
	u32 kind; // enum stap_attach_kind
	u32 state_size;
	// Before any probe is attached: those of the kind that are to be. NULL: nothing is to be prepared.
	void (*prepare)(struct stap_probe *const *probes, u32 count);
	// When all kinds are prepared, before any probe is attached: what takes long, and arms nothing yet. NULL:
	// attaching does all.
	void (*register_disarmed)(struct stap_probe *p);
	int (*attach)(struct stap_probe *p); // 0 or -errno; handlers may run before it returns
	// The session runs now, and hits run their handlers: process context, may sleep. NULL: nothing to be done then.
	void (*started)(void);
	// Of all attached probes of the kind at once, because waiting for their handlers is what costs. Where there is
	// a prepare(), of all that it has seen, attached or not.
	void (*detach)(struct stap_probe *const *probes, u32 count);
	// Passes on to stap_session_missed() what was dropped since the last time; process context, also after detach.
	// NULL: the mechanism drops nothing, or counts that at once.
	void (*count_missed)(struct stap_probe *p);
	// How many cycles a hit takes besides stap_hit() and stap_hit_entry(). It may change while the probe is
	// attached; any context, at a hit of the probe. NULL: that is not known, and counts as nothing.
	u32 (*cost)(const struct stap_probe *p);
	// Disarms attached probes, whose hits then cost nothing, or arms them again; process context, one caller at a
	// time. 0, or -errno: some are not, and this is to be tried again. NULL: they stay armed.
	int (*arm)(struct stap_probe *const *probes, u32 count, int on);
	// By what its hits come just now, in at most 31 characters; process context. NULL: not known.
	const char *(*way)(const struct stap_probe *p);
	const struct stap_code_place *(*place)(const struct stap_attach *a);      // NULL: the kind has no place in code
	const struct stap_file_place *(*file_place)(const struct stap_attach *a); // NULL: none in a file's code
};
extern const struct stap_mechanism *const host_mechanisms[]; // NULL at the end
// Tells the reader that a probe could not be attached (rc: -errno). 0: the script can do without it; else what the
// session fails with.
int host_attach_failed(const struct stap_probe *p, int rc);
// Wakes the reader and sleeps for a moment, so that it can make room. Nonzero: there is none, or the caller is to die.
int host_wait_for_reader(void);
// Has stap_session_arm() called soon, from another context; any context.
void host_conditions_changed(void);
// 1: the process that waits for the present call or thread was killed, so that should end soon; process context.
int host_interrupted(void);
int host_give_way(void);           // lets others have the processor; 1: host_interrupted(); process context
void host_wait_for_handlers(void); // returns when those that ran after their probes were detached have ended

// --- any context, nothing sleeps ---
// Pins the caller to a CPU (a slot below host_cpu_count()) until host_unpin, which gets what was put into `pinned`. In
// the kernel interrupts are off meanwhile. HOST_NO_CPU: no slot is free just now (a process only); the hit is skipped.
#define HOST_NO_CPU 0xffffffffu
u32 host_pin(u64 *pinned);
void host_unpin(u32 cpu, u64 pinned);
// Keeps interrupts away from the caller until the restore, which gets what was put into `saved`; a process can't, and
// need not.
void host_interrupts_off(u64 *saved);
void host_interrupts_restore(u64 saved);
int host_is_atomic(void);      // a pinned handler keeps everybody else from the CPU
int host_can_wait(u64 pinned); // interrupts were on before they were pinned off
int host_in_nmi(void);         // the caller may have interrupted a handler of this CPU
u64 host_clock_ns(void);       // CLOCK_MONOTONIC, NMI-safe
u64 host_cycles(void);
// Of `cycles` that have passed since the running handler was entered, how many its thread had the processor for.
u64 host_own_cycles(u64 cycles);
// A hit is going to wait for a lock. Negative: not now, since it was caused by what such a waiting calls; else what is
// to be given to the end.
int host_wait_begin(void);
void host_wait_end(int token);
void host_relax(void);                              // one turn of a waiting loop
char *host_stack_low(void);                         // the lowest address of the current thread's stack
void host_run_handler(struct stap_ctx *c);          // stap_run_handler(c), on the context's own stack when it has one
int host_read_kernel(void *to, u64 from, u32 size); // 0 or nonzero on a fault
int host_read_user(void *to, u64 from, u32 size);
// Where a call returns to, when `found` is what the current process's stack has for it at the address: the host may
// have put an address of its own there to see the return.
u64 host_user_return(struct stap_ctx *c, u64 at, u64 found);
// The same in `bytes`, a copy of the stack from the address `from` on.
void host_put_returns_back(struct stap_ctx *c, char *bytes, u32 size, u64 from);
// Where the stack goes on that a signal interrupted, when `bytes`, a copy of the stack from the address `from` on, are
// of a stack that signal handlers have to themselves (sigaltstack(2)); 0: they are not.
u64 host_interrupted_stack(const char *bytes, u32 size, u64 from);
int host_write_kernel(u64 to, u64 value, u32 size); // the low `size` bytes (1, 2, 4, 8); 0 or nonzero on a fault
int host_write_user(u64 to, u64 value, u32 size);
int host_thread_pointer(u64 *pointer); // of the process that runs; 0 or nonzero: there is none
const struct stap_regs *host_user_regs(const struct stap_regs *regs); // of the process, or NULL; regs: those of the hit
// Makes the frame of the current process that of its caller: 0; 1, when nobody has called it; negative when that is not
// known, and then a frame pointer may lead on. `is_exact`: pc is where the code was, else where a call returns to.
struct stap_user_frame;
int host_user_caller(struct stap_ctx *c, struct stap_user_frame *frame, int *is_exact);
// The addresses on the kernel's stack of whoever was hit, the innermost first, at most `max`: temporary storage, with
// their number in *count. NULL: there are none, or the error is set.
const u64 *host_backtrace(struct stap_ctx *c, u32 max, u32 *count);
// The number of the current process's space (struct stap_user_place); 0 when it can't have one.
u32 host_user_space(void);
// Why the current process's memory can't be read at the address, in words that follow it; "" when that can't be found
// out here.
struct stap_str host_why_unreadable(const struct stap_ctx *c, u64 address);
// The name of the file that the current process has mapped at the address, without its path; "" when there is none, or
// that can't be found out here.
struct stap_str host_user_module(struct stap_ctx *c, u64 address);
// A function or an object of the current process that begins at the address or below it and reaches beyond it.
struct host_user_symbol {
	const char *name, *path; // of the file; as long as the session
	u64 offset;              // of the address, from where it begins
	u32 size;
};
// 0: none is known, or that can't be found out here.
int host_user_symbol(const struct stap_ctx *c, u64 address, struct host_user_symbol *found);
// vsnprintf() cut at size - 1; returns how many bytes there are.
u32 host_format(char *out, u32 size, const char *format, __builtin_va_list args);
void host_wake_reader(void);                            // from any context, NMI included
void host_log(int is_error, const char *text, u32 len); // last resort, when no reader will come

// --- the core's side, called by the host (core/session.c, core/attach.c) ---
// Where in code the probe is; NULL when its kind has no place, or this host does not know the kind.
const struct stap_code_place *stap_probe_place(const struct stap_probe *p);
const struct stap_file_place *stap_probe_file_place(const struct stap_probe *p); // the same of a place in a file
int stap_session_init(struct stap_program *p, u32 ring_size);                    // allocates everything; 0 or -errno
int stap_session_start(struct stap_program *p, u32 target_pid); // begin probes, then attach; 0 or -errno
void stap_session_stop(struct stap_program *p);                 // idempotent: detach, end or error probes
void stap_session_request_stop(void); // exit(), or somebody wants the end: a start stops attaching; any context
// The script has asked for its end, and its probes may still be attached; any context.
int stap_session_wants_detach(void);
// What a stop does first, for a host whose reader may not ask for one: detaches the probes, reports overload or too
// many skipped hits. Idempotent; process context, not while the session starts or stops.
void stap_session_detach(struct stap_program *p);
// Arms and disarms probes as their conditions say. Nonzero: not all, it is to be tried again. Process context, not
// while the session starts or stops.
int stap_session_arm(struct stap_program *p);
void stap_session_free(struct stap_program *p);
struct stap_shm *stap_session_shm(u64 *size); // the shared area's head, and the size of the whole
void *stap_session_page(u64 offset); // what is at that offset of the shared area; NULL: nothing (yet); any context
int stap_session_has_records(void);  // that the reader has not taken; process context
// Gives a CPU (or the session: host_cpu_count()) the memory it needs to run handlers; it keeps that until the session
// is freed. 0 or -errno: its hits are skipped. Process context, one caller at a time.
int stap_session_add_cpu(u32 slot);
void stap_emit_outside(u32 kind, struct stap_str payload); // a record from outside a handler; process context
// A hit, any context: runs the probe's handler, or counts the hit as skipped.
void stap_hit(const struct stap_probe *probe, struct stap_event *event);
// A hit of a probe of kind STAP_ATTACH_REPORT or STAP_ATTACH_INPUT; process context, one at a time.
void stap_hit_report(const struct stap_probe *probe, struct stap_event *event);
// Bytes of the reader's standard input, none: it has ended. Process context, while the caller may call the former.
void stap_session_input(const char *text, u32 len);
// What the mechanism of STAP_ATTACH_INPUT consists of; input comes neither while it attaches nor while it detaches.
int stap_input_attach(struct stap_probe *p);
void stap_input_detach(struct stap_probe *const *probes, u32 count);
// The same for a mechanism that has somebody to tell what became of it.
enum stap_hit_end { STAP_HIT_RAN, STAP_HIT_SKIPPED, STAP_HIT_FAILED };
enum stap_hit_end stap_hit_told(const struct stap_probe *probe, struct stap_event *event);
// The entry of a function whose return is probed: fills event->saved. Nonzero: this call is not followed.
int stap_hit_entry(const struct stap_probe *probe, struct stap_event *event);
void stap_run_handler(struct stap_ctx *c); // what host_run_handler() calls: the handler, and what is due behind it
// Counts hits of a probe that did not come to its handler; any context.
void stap_session_missed(const struct stap_probe *p, enum stap_skip why, u64 hits);
// A timer was moved on by so many of its intervals at a hit: all but one have passed without a hit. Any context.
void stap_session_timer_moved(const struct stap_probe *p, u64 intervals);
// Asks all mechanisms what they have dropped, and how the probes are hit; process context, not while it stops.
void stap_session_count_missed(struct stap_program *p);
// Sets a global long or string before the start (staprun NAME=VALUE). 0, -ENOENT (2) or -EINVAL (22).
int stap_session_set_global(struct stap_str name, struct stap_str value);

#endif
