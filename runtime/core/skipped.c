// SPDX-License-Identifier: GPL-2.0-or-later
// Counts the hits that do not run their handler, by probe and reason, where the reader sees them (abi/record.h).
//
// Each CPU counts in a table of its own, so that probes that skip much on all CPUs don't slow each other down. The
// additions are atomic all the same: an NMI may come between, and what happens on no CPU in particular, or on one that
// has no table, is counted in the session's. The reader can write to the tables; the core only ever adds to them.
#include "core.h"

u64 stap_skips_bytes(const struct stap_program *p)
{
	return (u64)p->probe_count * STAP_SKIP_COLUMNS * sizeof(u64);
}

static void count(u32 slot, const struct stap_probe *p, enum stap_skip why, u64 hits)
{
	const struct stap_cpu *cpu = &stap_core.cpus[slot < stap_core.cpu_count ? slot : stap_core.cpu_count];

	if (!stap_load(&cpu->ready))
		cpu = &stap_core.cpus[stap_core.cpu_count];
	__atomic_fetch_add(&cpu->skips[(u64)p->index * STAP_SKIP_COLUMNS + why], hits, __ATOMIC_RELAXED);
}

// Past MAXSKIPPED the script ends. Hits that a handler caused itself, or that came while a report had their globals,
// are to be expected and don't count for that (stap(1), MAXSKIPPED).
void stap_count_skipped(u32 cpu, const struct stap_probe *p, enum stap_skip why)
{
	const struct stap_limits *l = &stap_core.program->limits;

	count(cpu, p, why, 1);
	if (why == STAP_SKIP_NESTED || why == STAP_SKIP_REPORT || l->suppress_handler_errors || l->max_skipped < 0)
		return;
	if (__atomic_add_fetch(&stap_core.limited_skips, 1, __ATOMIC_RELAXED) > (u64)l->max_skipped &&
	    !__atomic_exchange_n(&stap_core.skipped_too_many, 1, __ATOMIC_RELAXED))
		stap_session_fail();
}

void stap_session_missed(const struct stap_probe *p, enum stap_skip why, u64 hits)
{
	if (hits)
		count(stap_core.cpu_count, p, why, hits);
}

void stap_session_timer_moved(const struct stap_probe *p, u64 intervals)
{
	if (intervals > 1 && __atomic_load_n(&stap_core.state, __ATOMIC_RELAXED) == STAP_STATE_RUNNING)
		count(stap_core.cpu_count, p, STAP_SKIP_OVERRUN, intervals - 1);
}
