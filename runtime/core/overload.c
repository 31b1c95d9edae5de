// SPDX-License-Identifier: GPL-2.0-or-later
// Accounts handlers' cycles per CPU and ends the script when they take too much of it.
//
// Documented: no more than STP_OVERLOAD_THRESHOLD cycles in handlers on a CPU in any
// interval of STP_OVERLOAD_INTERVAL cycles. The check is made when a handler ends,
// so the script is stopped as soon as the threshold is passed, not at the interval's end.
#include "core.h"

#define NAMED_PROBES 3

// A run that took longer may have lost the processor meanwhile (in a process), which is asked for: some 50 us.
#define LONG_RUN_CYCLES (1u << 17)

static u64 probe_cycles(u32 probe)
{
	u64 sum = 0;

	for (u32 i = 0; i < stap_core.cpu_count; i++) {
		const struct stap_cpu *cpu = &stap_core.cpus[i];

		sum += __atomic_load_n(&cpu->ctx.times[probe].cycles, __ATOMIC_RELAXED);
		if (cpu->nmi.times)
			sum += __atomic_load_n(&cpu->nmi.times[probe].cycles, __ATOMIC_RELAXED);
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
static void overloaded(void)
{
	if (__atomic_exchange_n(&stap_core.overloaded, 1, __ATOMIC_RELAXED))
		return;
	__atomic_fetch_add(&stap_core.error_count, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&stap_core.shm->error_count, 1, __ATOMIC_RELAXED);
	stap_session_fail();
}

void stap_time_account(struct stap_ctx *c)
{
	const struct stap_limits *l = &stap_core.program->limits;
	struct stap_cpu *cpu = c->home;
	struct stap_probe_time *t = &c->times[c->probe->index];
	u64 now = host_cycles();
	u64 used = now > c->start_cycles ? now - c->start_cycles : 0;

	if (STAP_UNLIKELY(used > LONG_RUN_CYCLES))
		used = host_own_cycles(used);
	if (used < t->least || !t->hits)
		t->least = used;
	if (used > t->most)
		t->most = used;
	t->hits++;
	__atomic_store_n(&t->cycles, t->cycles + used, __ATOMIC_RELAXED);
	if (!l->overload_interval || stap_is_session(c))
		return;
	if (now - cpu->interval_start >= l->overload_interval) {
		cpu->interval_start = now;
		cpu->interval_used = 0;
	}
	cpu->interval_used += used;
	if (STAP_UNLIKELY(cpu->interval_used > l->overload_threshold))
		overloaded();
}
