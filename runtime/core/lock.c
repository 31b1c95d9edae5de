// SPDX-License-Identifier: GPL-2.0-or-later
// The reader/writer locks of global variables: all that a handler needs, or none.
//
// They are taken in the order of the globals, so that two handlers can't wait for
// each other; a handler that still can't get one within MAXTRYLOCK tries of
// TRYLOCKDELAY gives back those it has, and its hit is skipped: an interrupt may
// have hit a probe while the interrupted code holds the lock.
#include "core.h"

#define WRITER 0x80000000u

static int try_lock(u32 *lock, int write)
{
	u32 seen = __atomic_load_n(lock, __ATOMIC_RELAXED);
	u32 want;

	if (write ? seen != 0 : seen >= WRITER - 1)
		return 0;
	want = write ? WRITER : seen + 1;
	return __atomic_compare_exchange_n(lock, &seen, want, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void unlock(u32 *lock, int write)
{
	if (write)
		__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
	else
		__atomic_fetch_sub(lock, 1, __ATOMIC_RELEASE);
}

// Waits TRYLOCKDELAY, unless the lock changes before.
static void delay(const u32 *lock, u32 microseconds)
{
	u32 seen = __atomic_load_n(lock, __ATOMIC_RELAXED);
	u64 end = host_clock_ns() + (u64)microseconds * 1000;

	while (__atomic_load_n(lock, __ATOMIC_RELAXED) == seen && host_clock_ns() < end)
		host_relax();
}

int stap_locks_take(struct stap_ctx *c)
{
	const struct stap_limits *l = &stap_core.program->limits;
	const struct stap_probe *probe = c->probe;
	u32 tries = 0;

	while (c->locked < probe->lock_count) {
		const struct stap_lock_use *use = &probe->locks[c->locked];
		u32 *lock = &stap_core.program->globals[use->global].lock;

		if (STAP_LIKELY(try_lock(lock, use->write))) {
			c->locked++;
			continue;
		}
		if (tries++ >= l->max_try_lock) {
			stap_locks_drop(c);
			return -1;
		}
		delay(lock, l->try_lock_delay_us);
	}
	return 0;
}

void stap_locks_drop(struct stap_ctx *c)
{
	while (c->locked) {
		const struct stap_lock_use *use = &c->probe->locks[--c->locked];

		unlock(&stap_core.program->globals[use->global].lock, use->write);
	}
}
