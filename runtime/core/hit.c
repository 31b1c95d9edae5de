// SPDX-License-Identifier: GPL-2.0-or-later
// Runs handlers: may it run now, on which context and stack, with which locks; and what is due when it has ended.
//
// Each CPU has two contexts. A handler runs with interrupts off, so that on its CPU only an NMI can come between; a hit
// in such an NMI gets the second context. What else hits while both are busy, or while one is busy outside an NMI, was
// caused by the handler itself (a fault, a function that the runtime calls), and is skipped. The session has a slot of
// its own for the handlers that may wait, one at a time, in process context: begin, end and error probes, reports, and
// input.
//
// A report is a timer's handler that may go over whole arrays. Other probes are hit meanwhile and may need its locks.
// So it keeps interrupts off like any other, and one that is short takes no longer than elsewhere; a long one lets
// interrupts come and others have the processor after each part of its actions.
//
// An interrupt that comes between the test of `busy` and its setting runs to its end before the interrupted code goes
// on, so plain loads and stores are enough; in a process host_pin gives a slot to one thread only.
#include "core.h"

// The session state a probe's handler may run in.
static int may_run(const struct stap_probe *probe)
{
	u32 state = __atomic_load_n(&stap_core.state, __ATOMIC_RELAXED);

	if (STAP_LIKELY(!stap_can_wait(probe)))
		return state == STAP_STATE_RUNNING;
	switch (probe->attach.kind) {
	case STAP_ATTACH_BEGIN: return state == STAP_STATE_STARTING;
	case STAP_ATTACH_END: return state == STAP_STATE_STOPPING && !stap_core.failed;
	case STAP_ATTACH_ERROR: return state == STAP_STATE_STOPPING && stap_core.failed;
	}
	return 0; // STAP_ATTACH_NONE: the host hits it to measure what a hit costs, and it has no handler
}

static void set_busy(struct stap_ctx *c, u32 busy)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&c->busy, busy, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static struct stap_ctx *free_context(struct stap_cpu *cpu)
{
	if (STAP_LIKELY(!cpu->ctx.busy))
		return &cpu->ctx;
	return host_in_nmi() && !cpu->nmi.busy ? &cpu->nmi : STAP_NULL;
}

static void context_reset(struct stap_ctx *c, struct stap_event *event)
{
	const struct stap_limits *l = &stap_core.program->limits;

	c->event = event;
	c->budget = stap_core.first_actions;
	c->nesting = l->max_nesting;
	c->place = 0;
	c->failed = 0;
	c->arena_low = 0;
	c->arena_high = c->arena_size;
	c->error_len = 0;
	c->flags = 0;
	c->passed_on = 0;
	c->match = STAP_NULL;
	if (!c->stack_top)
		c->stack_low = host_stack_low();
}

// Whether a report has the global that a hit waits for. Also where both only read: a writer that waits for the report
// keeps other readers waiting too.
static int report_has(const struct stap_lock_use *wanted)
{
	const struct stap_probe *report = __atomic_load_n(&stap_core.report, __ATOMIC_RELAXED);

	for (u32 i = 0; report && i < report->lock_count; i++)
		if (report->locks[i].global == wanted->global)
			return 1;
	return 0;
}

// Gives the context back and tries again until the locks are to be had or the time is over. Returns a context, perhaps
// another one, that holds them, or NULL: the hit is skipped.
static struct stap_ctx *take_locks(struct stap_ctx *c, u64 pinned, u64 start)
{
	const struct stap_probe *probe = c->probe;
	struct stap_lock_wait wait = {0};
	u32 slot = c->slot;
	int report = 0; // had the lock at some time

	for (;;) {
		const struct stap_lock_use *missing = &probe->locks[c->missing];
		int is_nmi = c == &c->home->nmi;

		report |= report_has(missing);
		set_busy(c, 0);
		host_unpin(slot, pinned); // other hits may run while this one waits
		if (is_nmi || !stap_locks_wait(&wait, missing, slot, host_can_wait(pinned)))
			break;
		if (!may_run(probe)) { // the script has ended meanwhile, and no hit is missed any more
			stap_locks_wait_end(&wait);
			return STAP_NULL;
		}
		slot = host_pin(&pinned);
		c = slot < stap_core.cpu_count ? free_context(&stap_core.cpus[slot]) : STAP_NULL;
		if (!c) {
			if (slot < stap_core.cpu_count)
				host_unpin(slot, pinned);
			break;
		}
		set_busy(c, 1);
		c->probe = probe;
		if (!stap_locks_take(c)) {
			c->pinned = pinned;
			stap_locks_wait_end(&wait);
			return c;
		}
	}
	stap_locks_wait_end(&wait);
	stap_count_skipped(slot, probe, report ? STAP_SKIP_REPORT : STAP_SKIP_LOCK);
	if (start)
		stap_time_account_skipped(probe, start);
	return STAP_NULL;
}

// The same, unless the hit comes in the middle of another one's waiting.
static struct stap_ctx *__attribute__((__noinline__)) wait_for_locks(struct stap_ctx *c, u64 pinned, u64 start)
{
	const struct stap_probe *probe = c->probe;
	int token = host_wait_begin();
	u32 slot = c->slot;

	if (token >= 0) {
		c = take_locks(c, pinned, start);
		host_wait_end(token);
		return c;
	}
	set_busy(c, 0);
	host_unpin(slot, pinned);
	stap_count_skipped(slot, probe, STAP_SKIP_NESTED);
	return STAP_NULL;
}

// Attaching the others may take long, and hits that wait for its end are not free either.
static void __attribute__((__noinline__)) refuse(const struct stap_probe *probe, u64 start)
{
	if (start && !stap_can_wait(probe) &&
	    __atomic_load_n(&stap_core.state, __ATOMIC_RELAXED) == STAP_STATE_STARTING)
		stap_time_account_skipped(probe, start);
}

// No context of the slot is free. Not inlined: what is only needed here would take registers there.
static void __attribute__((__noinline__)) skip_busy(const struct stap_probe *probe, u32 slot, u64 pinned)
{
	host_unpin(slot, pinned);
	stap_count_skipped(slot, probe, stap_core.cpus[slot].ready ? STAP_SKIP_NESTED : STAP_SKIP_CONTEXT);
}

static inline __attribute__((__always_inline__)) struct stap_ctx *enter(const struct stap_probe *probe,
									struct stap_event *event)
{
	u64 start = stap_core.measures_time ? host_cycles() : 0;
	struct stap_ctx *c;
	u64 pinned;
	u32 slot;

	if (STAP_UNLIKELY(!may_run(probe))) {
		refuse(probe, start);
		return STAP_NULL;
	}
	slot = host_pin(&pinned);
	if (STAP_UNLIKELY(slot >= stap_core.cpu_count)) {
		stap_count_skipped(slot, probe, STAP_SKIP_CONTEXT);
		return STAP_NULL;
	}
	c = free_context(&stap_core.cpus[slot]);
	if (STAP_UNLIKELY(!c)) {
		skip_busy(probe, slot, pinned);
		return STAP_NULL;
	}
	set_busy(c, 1);
	c->probe = probe;
	c->pinned = pinned;
	if (probe->lock_count && STAP_UNLIKELY(stap_locks_take(c))) {
		c = wait_for_locks(c, pinned, start);
		if (!c)
			return STAP_NULL;
	}
	context_reset(c, event);
	c->start_cycles = start;
	return c;
}

static inline __attribute__((__always_inline__)) void finish(struct stap_ctx *c)
{
	if (STAP_UNLIKELY(c->failed) && !(c->flags & STAP_CTX_ABORTED))
		stap_report_error(c);
	if (c->locked)
		stap_locks_drop(c);
	if (c->flags & STAP_CTX_WROTE)
		stap_emit_end(c);
	if (c->start_cycles)
		stap_time_account(c, host_cycles());
}

// Off the context's stack again.
static inline __attribute__((__always_inline__)) void release(struct stap_ctx *c)
{
	u32 slot = c->slot;
	u64 pinned = c->pinned; // whoever comes next sets it anew

	set_busy(c, 0);
	host_unpin(slot, pinned);
}

struct stap_ctx *stap_enter(const struct stap_probe *probe, struct stap_event *event)
{
	return enter(probe, event);
}

void stap_leave(struct stap_ctx *c)
{
	finish(c);
	release(c);
}

void stap_run_handler(struct stap_ctx *c)
{
	c->run(c);
	finish(c);
}

void stap_hit(const struct stap_probe *probe, struct stap_event *event)
{
	struct stap_ctx *c = enter(probe, event);

	if (!c)
		return;
	c->run = probe->hit;
	host_run_handler(c);
	release(c);
}

static inline __attribute__((__always_inline__)) enum stap_hit_end run_told(const struct stap_probe *probe,
									    struct stap_event *event,
									    void (*run)(struct stap_ctx *))
{
	struct stap_ctx *c = enter(probe, event);
	enum stap_hit_end end;

	if (!c)
		return STAP_HIT_SKIPPED;
	c->run = run;
	host_run_handler(c);
	end = c->failed ? STAP_HIT_FAILED : STAP_HIT_RAN;
	release(c);
	return end;
}

enum stap_hit_end stap_hit_told(const struct stap_probe *probe, struct stap_event *event)
{
	return run_told(probe, event, probe->hit);
}

int stap_hit_entry(const struct stap_probe *probe, struct stap_event *event)
{
	return run_told(probe, event, probe->entry) != STAP_HIT_RAN;
}

// --- the session's slot

static void start_session_run(struct stap_ctx *c, const struct stap_probe *probe, struct stap_event *event, u32 flags)
{
	c->probe = probe;
	set_busy(c, 1);
	context_reset(c, event);
	c->flags = flags;
	c->budget = 0;
	c->budget_more = stap_core.program->limits.max_action_interruptible;
	c->start_cycles = stap_core.measures_time ? host_cycles() : 0;
}

// Nonzero: the time was over, and none is held.
static int wait_for_session_locks(struct stap_ctx *c)
{
	struct stap_lock_wait wait = {0};
	int missing, again = 1;

	while ((missing = stap_locks_take(c)) && again) {
		stap_unshield(c);
		again = stap_locks_wait(&wait, &c->probe->locks[c->missing], c->slot, 1);
		stap_shield(c);
	}
	stap_locks_wait_end(&wait);
	return missing;
}

// On the caller's stack.
static void run_in_session(const struct stap_probe *probe, struct stap_event *event, u32 flags)
{
	struct stap_ctx *c = &stap_core.cpus[stap_core.cpu_count].ctx;

	if (!may_run(probe))
		return;
	start_session_run(c, probe, event, flags);
	stap_shield(c);
	if ((u64)((char *)__builtin_frame_address(0) - c->stack_low) < c->stack_reserve) {
		stap_count_skipped(c->slot, probe, STAP_SKIP_STACK);
	} else if (wait_for_session_locks(c)) {
		stap_count_skipped(c->slot, probe, STAP_SKIP_LOCK);
	} else {
		if (flags & STAP_CTX_SHIELDED)
			__atomic_store_n(&stap_core.report, probe, __ATOMIC_RELAXED);
		c->run = probe->hit;
		stap_run_handler(c);
		__atomic_store_n(&stap_core.report, STAP_NULL, __ATOMIC_RELAXED);
	}
	stap_unshield(c);
	set_busy(c, 0);
}

void stap_hit_session(const struct stap_probe *probe)
{
	struct stap_event event = {0};

	run_in_session(probe, &event, 0);
}

void stap_hit_report(const struct stap_probe *probe, struct stap_event *event)
{
	run_in_session(probe, event, STAP_CTX_SHIELDED);
}

void stap_evaluate_conditions(void)
{
	struct stap_ctx *c = &stap_core.cpus[stap_core.cpu_count].ctx;
	struct stap_event event = {0};

	start_session_run(c, &stap_core.program->probes[0], &event, 0);
	stap_core.program->conditions(c);
	set_busy(c, 0);
}
