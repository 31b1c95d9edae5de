// SPDX-License-Identifier: GPL-2.0-or-later
// Accounts the cycles that hits take on each CPU, and ends the script when they take too much of it.
//
// Documented: no more than STP_OVERLOAD_THRESHOLD cycles on a CPU in an interval of STP_OVERLOAD_INTERVAL cycles. The
// check is made when a hit ends, so the script is stopped as soon as the threshold is passed, not at the interval's
// end.
//
// A hit's cycles are those from stap_hit()'s beginning, before any lock, to its end, and the host's figure for what the
// mechanism takes besides (stap_probe.cost). A hit that is skipped counts too, except when it fell into another one on
// its CPU: then it is in that one's cycles already.
#include "core.h"

#define NAMED_PROBES 3

// A run that took longer may have lost the processor meanwhile (in a process), which is asked for: some 50 us.
#define LONG_RUN_CYCLES (1u << 17)

// Nothing is attached any more.
static u64 cycles_on(const struct stap_ctx *c, u32 probe)
{
	const struct stap_probe_time *t = &c->times[probe];

	return t->cycles + t->hits * stap_core.program->probes[probe].cost + t->skipped;
}

static u64 probe_cycles(u32 probe)
{
	u64 sum = 0;

	for (u32 i = 0; i < stap_core.cpu_count; i++) {
		const struct stap_cpu *cpu = &stap_core.cpus[i];

		if (!stap_load(&cpu->ready))
			continue;
		sum += cycles_on(&cpu->ctx, probe);
		if (cpu->nmi.times)
			sum += cycles_on(&cpu->nmi, probe);
	}
	return sum;
}

// "probe overhead exceeded threshold: POINT (93%), POINT (5%)": the probes that used most.
static u32 describe(char *out, u32 size)
{
	const struct stap_program *p = stap_core.program;
	u32 len = stap_append(out, size, 0, STAP_STR("probe overhead exceeded threshold"));
	u64 total = 0, below = ~0ull, percent;
	u32 named = 0;

	for (u32 i = 0; i < p->probe_count; i++)
		total += probe_cycles(i);
	while (named < NAMED_PROBES && total) {
		u64 best = 0;
		u32 index = 0;

		for (u32 i = 0; i < p->probe_count; i++) {
			u64 cycles = probe_cycles(i);

			if (cycles > best && cycles < below) {
				best = cycles;
				index = i;
			}
		}
		percent = best / (total / 100 + 1);
		if (!best || (named && !percent))
			break;
		len = stap_append(out, size, len, named ? STAP_STR(", ") : STAP_STR(": most time in "));
		len = stap_append(out, size, len, stap_cstr(p->probes[index].point));
		len = stap_append(out, size, len, STAP_STR(" ("));
		len = stap_append_long(out, size, len, (stap_long)percent);
		len = stap_append(out, size, len, STAP_STR("%)"));
		below = best;
		named++;
	}
	return len;
}

void stap_report_overload(void)
{
	char text[512];

	stap_emit_outside(STAP_RECORD_ERROR, (struct stap_str){text, describe(text, sizeof(text))});
}

// Which probes used most is found out when the script ends: there may be thousands, on hundreds of CPUs.
static void __attribute__((__noinline__)) overloaded(void)
{
	if (__atomic_exchange_n(&stap_core.overloaded, 1, __ATOMIC_RELAXED))
		return;
	__atomic_fetch_add(&stap_core.error_count, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&stap_core.shm->error_count, 1, __ATOMIC_RELAXED);
	stap_session_fail();
}

static inline void use(struct stap_cpu *cpu, u64 used)
{
	cpu->interval_used += used;
	if (STAP_UNLIKELY(cpu->interval_used > stap_core.program->limits.overload_threshold))
		overloaded();
}

// The interval's first hit asks again what a hit of its probe costs: the probes that are hit most come first.
static void __attribute__((__noinline__))
begin_interval(struct stap_cpu *cpu, const struct stap_probe *probe, u64 now, u64 used)
{
	cpu->interval_start = now;
	cpu->interval_used = 0;
	stap_update_cost(probe);
	use(cpu, used + probe->cost);
}

static inline void check(struct stap_cpu *cpu, const struct stap_probe *probe, u64 now, u64 used)
{
	const struct stap_limits *l = &stap_core.program->limits;

	if (!l->overload_interval)
		return;
	if (STAP_UNLIKELY(now - cpu->interval_start >= l->overload_interval))
		begin_interval(cpu, probe, now, used);
	else
		use(cpu, used + probe->cost);
}

void stap_time_account_skipped(const struct stap_probe *probe, u64 start_cycles)
{
	u64 now = host_cycles(), pinned;
	u64 used = now > start_cycles ? now - start_cycles : 0;
	u32 slot;

	if (used > LONG_RUN_CYCLES)
		used = host_own_cycles(used);
	slot = host_pin(&pinned);
	if (slot >= stap_core.cpu_count)
		return;
	if (stap_load(&stap_core.cpus[slot].ready))
		stap_core.cpus[slot].ctx.times[probe->index].skipped += used + probe->cost;
	check(&stap_core.cpus[slot], probe, now, used);
	host_unpin(slot, pinned);
}

static inline void account(struct stap_ctx *c, u64 now, u64 used)
{
	struct stap_probe_time *t = &c->times[c->probe->index];

	if (used < t->least || !t->hits)
		t->least = used;
	if (used > t->most)
		t->most = used;
	t->hits++;
	t->cycles += used;
	if (!stap_is_session(c))
		check(c->home, c->probe, now, used);
}

static void __attribute__((__noinline__)) account_long_run(struct stap_ctx *c, u64 now, u64 used)
{
	account(c, now, host_own_cycles(used));
}

// Calls nothing on the way that hits take, so that no register has to be saved for it.
void stap_time_account(struct stap_ctx *c, u64 now)
{
	u64 used = now > c->start_cycles ? now - c->start_cycles : 0;

	if (STAP_UNLIKELY(used > LONG_RUN_CYCLES))
		account_long_run(c, now, used);
	else
		account(c, now, used);
}
