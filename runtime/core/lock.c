// SPDX-License-Identifier: GPL-2.0-or-later
// The reader/writer locks of global variables: all that a handler needs, or none.
//
// They are tried in the order of the globals. A handler that can't get one gives back those it has, and its hit waits,
// holding nothing, until the lock looks free; after MAXTRYLOCK times TRYLOCKDELAY it is skipped. Where interrupts are
// off at the hit, nobody else could use the CPU meanwhile, and the time is much shorter; a hit in an NMI may have
// interrupted the owner, and does not wait at all.
//
// Readers come and go without ever leaving a lock free, so a writer that waits is counted in the global, and new
// readers wait too. A hit in an interrupt must not wait for the writer that it interrupts: it is let through.
#include "core.h"

#define WRITER         0x80000000u
#define NS_PER_US      1000u
#define ATOMIC_WAIT_NS 100000u // the longest that is waited with interrupts off
#define MAX_RACES      64      // that another reader changes the lock word just then

static int is_free(const struct stap_global *g, int write, const struct stap_cpu *cpu)
{
	u32 seen = __atomic_load_n(&g->lock, __ATOMIC_RELAXED);

	if (write)
		return !seen;
	if (seen >= WRITER - 1)
		return 0;
	return STAP_LIKELY(!__atomic_load_n(&g->writers_waiting, __ATOMIC_RELAXED)) ||
	       __atomic_load_n(&cpu->waiting_writers, __ATOMIC_RELAXED);
}

static int try_lock(struct stap_global *g, int write, const struct stap_cpu *cpu)
{
	for (u32 races = 0; races < MAX_RACES && is_free(g, write, cpu); races++) {
		u32 seen = write ? 0 : __atomic_load_n(&g->lock, __ATOMIC_RELAXED);

		if (seen < WRITER - 1 && __atomic_compare_exchange_n(&g->lock, &seen, write ? WRITER : seen + 1, 0,
								     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return 1;
	}
	return 0;
}

static void unlock(u32 *lock, int write)
{
	if (write)
		__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
	else
		__atomic_fetch_sub(lock, 1, __ATOMIC_RELEASE);
}

int stap_locks_take(struct stap_ctx *c)
{
	const struct stap_probe *probe = c->probe;
	u32 taken;

	for (taken = 0; taken < probe->lock_count; taken++) {
		const struct stap_lock_use *use = &probe->locks[taken];

		if (STAP_UNLIKELY(!try_lock(&stap_core.program->globals[use->global], use->write, c->home))) {
			c->locked = taken;
			stap_locks_drop(c);
			c->missing = taken;
			return -1;
		}
	}
	c->locked = taken;
	return 0;
}

void stap_locks_drop(struct stap_ctx *c)
{
	while (c->locked) {
		const struct stap_lock_use *use = &c->probe->locks[--c->locked];

		unlock(&stap_core.program->globals[use->global].lock, use->write);
	}
}

// The hit is counted as a waiting writer of `g` (NULL: of none).
static void wait_as_writer(struct stap_lock_wait *w, struct stap_global *g, struct stap_cpu *cpu)
{
	if (w->global == g)
		return;
	if (w->global) {
		__atomic_fetch_sub(&w->global->writers_waiting, 1, __ATOMIC_RELAXED);
		__atomic_fetch_sub(&w->cpu->waiting_writers, 1, __ATOMIC_RELAXED);
	}
	w->global = g;
	w->cpu = cpu;
	if (g) {
		__atomic_fetch_add(&cpu->waiting_writers, 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&g->writers_waiting, 1, __ATOMIC_RELAXED);
	}
}

int stap_locks_wait(struct stap_lock_wait *w, const struct stap_lock_use *use, u32 slot, int interruptible)
{
	const struct stap_limits *l = &stap_core.program->limits;
	struct stap_global *g = &stap_core.program->globals[use->global];
	struct stap_cpu *cpu = &stap_core.cpus[slot];
	u64 now = host_clock_ns();

	if (!w->deadline_ns) {
		u64 patience = (u64)l->max_try_lock * l->try_lock_delay_us * NS_PER_US;

		w->deadline_ns = now + (interruptible || patience < ATOMIC_WAIT_NS ? patience : ATOMIC_WAIT_NS);
	}
	if (use->write)
		wait_as_writer(w, g, cpu);
	// The lock is looked at once more when the time is over: the owner may have had the processor meanwhile.
	while (!is_free(g, use->write, cpu)) {
		if (now >= w->deadline_ns)
			return 0;
		host_relax();
		now = host_clock_ns();
	}
	return now < w->deadline_ns || !w->last_try++;
}

void stap_locks_wait_end(struct stap_lock_wait *w)
{
	wait_as_writer(w, STAP_NULL, STAP_NULL);
}
