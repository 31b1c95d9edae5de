// SPDX-License-Identifier: GPL-2.0-or-later
// Counts the hits that do not run their handler, by probe and reason, where the reader sees them (abi/record.h).
//
// Each CPU counts in a table of its own, so that probes that skip much on all CPUs don't slow each other down. The
// additions are atomic all the same: an NMI may come between, and what happens on no CPU in particular is counted in
// the first table. The reader can write to the tables; the core only ever adds to them.
#include "core.h"

u64 stap_skips_stride(const struct stap_program *p)
{
	u64 n = (u64)p->probe_count * STAP_SKIP_COLUMNS * sizeof(u64);

	return (n + STAP_CACHE_LINE - 1) & ~(u64)(STAP_CACHE_LINE - 1);
}

static void count(u32 cpu, const struct stap_probe *p, enum stap_skip why, u64 hits)
{
	u64 *table =
		(u64 *)(stap_core.skips + (cpu < stap_core.cpu_count ? cpu : 0) * stap_skips_stride(stap_core.program));

	__atomic_fetch_add(&table[(u64)p->index * STAP_SKIP_COLUMNS + why], hits, __ATOMIC_RELAXED);
}

// Past MAXSKIPPED the script ends; hits skipped because of reentrancy don't count for that (stap(1), MAXSKIPPED).
void stap_count_skipped(u32 cpu, const struct stap_probe *p, enum stap_skip why)
{
	const struct stap_limits *l = &stap_core.program->limits;

	count(cpu, p, why, 1);
	if (why == STAP_SKIP_NESTED || l->suppress_handler_errors || l->max_skipped < 0)
		return;
	if (__atomic_add_fetch(&stap_core.limited_skips, 1, __ATOMIC_RELAXED) > (u64)l->max_skipped &&
	    !__atomic_exchange_n(&stap_core.skipped_too_many, 1, __ATOMIC_RELAXED))
		stap_session_fail();
}

void stap_session_missed(const struct stap_probe *p, enum stap_skip why, u64 hits)
{
	if (hits)
		count(0, p, why, hits);
}

void stap_session_timer_moved(const struct stap_probe *p, u64 intervals)
{
	if (intervals > 1 && __atomic_load_n(&stap_core.state, __ATOMIC_RELAXED) == STAP_STATE_RUNNING)
		count(0, p, STAP_SKIP_OVERRUN, intervals - 1);
}
