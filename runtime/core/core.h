// SPDX-License-Identifier: GPL-2.0-or-later
// What the core's files share: the session, the per-CPU state and the ring producer.
#ifndef STAP_CORE_H
#define STAP_CORE_H

#include "../abi/stack.h"
#include "../host.h"

// Error numbers the core returns (negated); the values are Linux's on x86-64.
#define STAP_ENOENT 2
#define STAP_EINTR  4
#define STAP_ENOMEM 12
#define STAP_EINVAL 22
#define STAP_ENOSYS 38

// Bits of stap_ctx.flags.
#define STAP_CTX_SCRIPT_ERROR 1u  // the pending error is error()'s: no "near"
#define STAP_CTX_UNCATCHABLE  2u  // MAXACTION, or the script is being killed
#define STAP_CTX_ABORTED      8u  // abort(): ends the handler, is no error
#define STAP_CTX_WROTE        4u  // this run wrote a record
#define STAP_CTX_SHIELDED     16u // interrupts are off, except where the run gives way
#define STAP_CTX_IN_PARTS     32u // more than the first part of the actions was asked for

#define STAP_CACHE_LINE 64

#define STAP_BUDGET_PART 1000      // actions after which others may have the processor, or the time is looked at
#define STAP_ACTIONS_MAX (1 << 30) // at once; more than any handler may spend

// The producer's private side of a ring; see abi/record.h.
struct stap_ring {
	struct stap_ring_writer *writer;
	struct stap_ring_reader *reader;
	char *data;
	u32 size;
	u64 head; // never read back from shared memory
	u64 tail; // the reader's, as last checked
	u64 produced;
	u64 lost;
	u64 limit;    // how much of the ring ordinary records may fill
	u64 room;     // that; 0 while losses have not been marked
	u64 unmarked; // records lost since the last mark
	u64 woken;    // the reader's `waiting` number that was answered
	u64 last_stamp;
	u64 given_up;    // the tail at which waiting for the reader was given up
	u32 writing;     // a record is reserved and not yet committed
	u32 lost_in_nmi; // because one was; not yet in `produced` and `lost`
};

struct stap_probe_time {
	u64 hits;
	u64 cycles;
	u64 least, most; // of one hit
	u64 skipped;     // cycles of hits that were not run, and are not in `hits`
};

// One for each CPU, and one for the session's own handlers.
struct stap_cpu {
	struct stap_ctx ctx;
	struct stap_ctx nmi; // of hits in an NMI that interrupts a handler
	struct stap_ring ring;
	u64 *skips;          // its table of skipped hits
	u64 interval_start;  // overload: cycle count
	u64 interval_used;   // overload: cycles spent in handlers since
	u32 waiting_writers; // hits on this CPU that wait for a write lock (lock.c)
	u32 ready;           // 0: it has no memory, nor any of the pointers (cpus.c)
} __attribute__((aligned(STAP_CACHE_LINE)));

// The one session of a module or shared object. `state` and error_count are
// authoritative here; the copies in shared memory are for the reader only.
struct stap_session {
	struct stap_program *program;
	struct stap_shm *shm;
	struct stap_shm layout; // `shm` as it was made: the reader can write to that one
	u64 shm_size;           // of the whole area, as the reader maps it
	struct stap_cpu *cpus;  // [cpu_count + 1]
	u32 cpu_count;
	s32 first_actions;    // of a handler that may not wait, before its time is looked at
	u32 stack_size;       // of a context's own stack, 0: none
	u32 state;            // enum stap_session_state
	u32 measures_time;    // handlers' cycles are counted: for the overload check or for -t
	u32 failed;           // the script ends because of errors
	u32 skipped_too_many; // MAXSKIPPED was passed: reported at stop, a skipped hit can't write
	u32 overloaded;
	u32 stopped;
	u32 detached; // no probe is attached any more, and what made the script end is reported
	u32 error_count;
	u64 limited_skips;               // skipped hits that count for MAXSKIPPED
	const struct stap_probe *report; // that has its locks and may keep them for long; NULL: none
};
extern struct stap_session stap_core;

// --- memory: compilers turn these into calls of the host's memcpy & co. where the size is not constant ---
static inline void mem_copy(void *to, const void *from, u64 n)
{
	if (n)
		__builtin_memcpy(to, from, n);
}
static inline void mem_move(void *to, const void *from, u64 n)
{
	if (n)
		__builtin_memmove(to, from, n);
}
static inline void mem_zero(void *to, u64 n)
{
	if (n)
		__builtin_memset(to, 0, n);
}

#define stap_load(p)     __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define stap_store(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

// --- ring.c ---
void stap_ring_init(struct stap_ring *r, struct stap_ring_writer *w, struct stap_ring_reader *reader, char *data,
		    u32 size);
// Room for a record of `payload` bytes, header filled in; NULL: counted as lost.
// Nothing is visible to the reader before the commit.
char *stap_ring_reserve(struct stap_ring *r, u32 kind_and_probe, u64 payload, u64 time_ns);
void stap_ring_commit(struct stap_ring *r, u64 payload);
// Before the commit: the record whose payload is at `to` has turned out to be shorter than was reserved.
void stap_ring_shorten(char *to, u64 payload);
// Has it no room for a record, though an empty one would?
int stap_ring_is_full(struct stap_ring *r, u64 payload);
// Waits until there is room for a record, or the reader has not gone on for a second. Process context; may sleep.
void stap_ring_wait(struct stap_ring *r, u64 payload);
// Counts what was lost in NMIs; when nothing is written any more.
void stap_ring_settle(struct stap_ring *r);
// 1 once each time the reader sleeps: the caller wakes it.
int stap_ring_wants_wake(struct stap_ring *r);

// --- shm.c ---
// Lays out the shared area for the program and makes its head: 0 or -STAP_ENOMEM. Process context, as the others.
int stap_shm_init(const struct stap_program *p, u32 ring_size);
// Makes and gives back a CPU's part, a ring and a table of skipped hits: 0 or -STAP_ENOMEM.
int stap_shm_add_cpu(u32 slot);
void stap_shm_remove_cpu(u32 slot);
void stap_shm_free(void);                                            // the head, after all parts
void stap_shm_set_way(const struct stap_probe *p, const char *text); // how the probe is hit just now; process context

// --- cpus.c: process context ---
int stap_cpus_init(const struct stap_program *p); // the table of CPUs: 0 or -STAP_ENOMEM
int stap_cpus_start(void); // memory for the session's slot and the CPUs that are online, and from now on for who comes
void stap_cpus_free(void);

// --- print.c ---
// Writes a whole record from a handler, with the handler's time stamp.
void stap_emit(struct stap_ctx *c, u32 kind, struct stap_str payload);
// Writes a record of addresses (STAP_RECORD_STACK, STAP_RECORD_USER_ADDRESSES), or of a process's stack, likewise.
void stap_emit_stack(struct stap_ctx *c, u32 kind, u32 form, const u64 *addresses, u32 count);
void stap_emit_user_stack(struct stap_ctx *c, struct stap_record_user_stack *head);
// Closes the handler's run for the reader's merge; wakes the reader.
void stap_emit_end(struct stap_ctx *c);
// Writes a record from outside a handler (session start and stop; process context).
void stap_emit_outside(u32 kind, struct stap_str payload);

// --- context.c ---
// Begin, end and error probes run in a process that may be preempted for long, so no limit of time holds for them.
static inline int stap_can_wait(const struct stap_probe *probe)
{
	return probe->attach.kind <= STAP_ATTACH_ERROR;
}
// The context that has no CPU: of begin, end and error probes, and of reports.
static inline int stap_is_session(const struct stap_ctx *c)
{
	return c->slot == stap_core.cpu_count;
}
// Lets interrupts come in a run that keeps them off, and keeps them off again.
static inline void stap_unshield(struct stap_ctx *c)
{
	if (c->flags & STAP_CTX_SHIELDED)
		host_interrupts_restore(c->pinned);
}
static inline void stap_shield(struct stap_ctx *c)
{
	if (c->flags & STAP_CTX_SHIELDED)
		host_interrupts_off(&c->pinned);
}
void stap_report_error(struct stap_ctx *c); // writes the pending error and counts it; may end the script
// The error's full text ("... near WORD at FILE:LINE:COL") into out; returns its length, at most size.
u32 stap_error_text(const struct stap_ctx *c, char *out, u32 size);

// --- skipped.c ---
u64 stap_skips_bytes(const struct stap_program *p); // of one CPU's table
// Counts a hit that is not run; any context. `cpu`: whose table is used, HOST_NO_CPU when there is none.
void stap_count_skipped(u32 cpu, const struct stap_probe *p, enum stap_skip why);

// --- lock.c ---
int stap_locks_take(struct stap_ctx *c); // 0, or nonzero: none is held, c->missing is one that was not to be had
void stap_locks_drop(struct stap_ctx *c);
// A hit's waiting for a lock. Starts zeroed; stap_locks_wait_end() when the locks are held, or not wanted any more.
struct stap_lock_wait {
	u64 deadline_ns;            // 0: it has not waited yet
	struct stap_global *global; // where it is counted as a waiting writer
	struct stap_cpu *cpu;       // where it was then
	u32 last_try;               // the time was over, and the lock looked free
};
// Waits until another try for that lock is worth while: 1; or until the time is over: 0. `interruptible`: other hits
// can run on this CPU (`slot`) meanwhile; if not, the time is shorter.
int stap_locks_wait(struct stap_lock_wait *w, const struct stap_lock_use *use, u32 slot, int interruptible);
void stap_locks_wait_end(struct stap_lock_wait *w);

// --- overload.c ---
void stap_time_account(struct stap_ctx *c, u64 now);                              // now: host_cycles()
void stap_time_account_skipped(const struct stap_probe *probe, u64 start_cycles); // the same of a hit that was not run
void stap_report_overload(void); // names the probes that used most; process context, nothing is attached any more

// --- attach.c ---
void stap_attach_started(struct stap_program *p); // the session runs
int stap_attach_all(struct stap_program *p);      // all but begin, end, error; 0, or -errno when the script can't run
void stap_detach_all(struct stap_program *p);     // returns when no handler is running any more
void stap_update_cost(const struct stap_probe *probe); // asks the host anew; any context, at a hit of the probe

// --- timing.c ---
void stap_alibi(struct stap_program *p); // STP_ALIBI: from now on hits are counted only; before anything is attached
void stap_report_times(void);            // -t: a line for each probe that was hit; process context, at the end

// --- hit.c ---
// Starts a hit: a context with the probe's locks, pinned. NULL: skip, which has been counted. Any context.
struct stap_ctx *stap_enter(const struct stap_probe *probe, struct stap_event *event);
void stap_leave(struct stap_ctx *c);                   // reports its error, drops the locks, accounts its time, unpins
void stap_hit_session(const struct stap_probe *probe); // of begin, end and error probes; process context
void stap_evaluate_conditions(void); // of all probes, before the first of them is attached; process context

// --- session.c ---
void stap_session_fail(void); // errors end the script; any context
int stap_map_init(struct stap_map *m, const struct stap_map_layout *layout, const char *name);
void stap_map_free(struct stap_map *m);

// --- string.c ---
// The longest prefix of at most `max` bytes that does not split a UTF-8 character.
u32 stap_utf8_cut(const char *s, u32 len, u32 max);
// Appends to a bounded buffer; both return the new length.
u32 stap_append(char *out, u32 size, u32 len, struct stap_str s);
u32 stap_append_long(char *out, u32 size, u32 len, stap_long v);
u32 stap_append_hex(char *out, u32 size, u32 len, u64 v);

// --- access.c ---
// The documented error of a bad address, "kernel read fault at 0xADDR (addr)", or of missing registers, which have no
// address.
void stap_fail_fault(struct stap_ctx *c, enum stap_fault fault, u64 address);

#endif
