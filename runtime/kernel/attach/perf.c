// SPDX-License-Identifier: GPL-2.0-or-later
// Events of the kernel's perf subsystem, sampled or only counted: STAP_ATTACH_PERF.
#include <linux/perf_event.h>
#include "../../abi/event.h"
#include "../perf.h"

static void perf_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct stap_probe *p = event->overflow_handler_context;
	struct stap_event hit = {.regs = as_stap_regs(regs)};

	if (perf_is_wanted(p->state))
		stap_hit(p, &hit);
}
NOKPROBE_SYMBOL(perf_hit);

static const char *reason_of(int rc)
{
	switch (rc) {
	case -ENOENT: return "this machine has no such event; a virtual machine often has no hardware events";
	case -EOPNOTSUPP: return "this machine can count but not sample it, or does not have it";
	case -ENOSPC:
	case -EBUSY: return "all of the processor's counters for it are taken";
	case -EINVAL: return "the kernel finds its type, config or frequency invalid";
	case -ESRCH: return "there is no such process: -c or -x names one, or starts it";
	}
	return "the kernel refuses it";
}

// By an interrupt of its own, rather than where the kernel's code happens to be.
static bool comes_by_interrupt(const struct stap_attach_perf *a)
{
	return a->type != PERF_TYPE_SOFTWARE || a->config == PERF_COUNT_SW_CPU_CLOCK ||
	       a->config == PERF_COUNT_SW_TASK_CLOCK;
}

static int perf_attach(struct stap_probe *p)
{
	const struct stap_attach_perf *a = &p->attach.perf;
	struct perf_set *s = p->state;
	int rc;

	s->probe = p;
	s->attr = (struct perf_event_attr){
		.type = a->type,
		.config = a->config,
		.size = sizeof(s->attr),
		.freq = a->hz != 0,
	};
	if (a->hz)
		s->attr.sample_freq = a->hz;
	else
		s->attr.sample_period = a->sample;
	s->hit = a->hz || a->sample ? perf_hit : NULL;
	rc = perf_open(s, a->bound, a->program, a->pid, &a->start);
	if (rc)
		report(&stap_program, STAP_RECORD_WARN, "probe %s: %s", p->point, reason_of(rc));
	else if (s->hit && comes_by_interrupt(a))
		cost_measure_interrupt();
	return rc;
}

// The script has ended, so no handler begins any more. Those of other kinds that run still may read a counter.
static void perf_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	synchronize_rcu();
	for (i = 0; i < count; i++)
		perf_close(probes[i]->state);
}

static u32 perf_cost(const struct stap_probe *p)
{
	return comes_by_interrupt(&p->attach.perf) ? cost_of_interrupt(p) : 0;
}

stap_long stap_perf_counter(struct stap_ctx *c, u32 probe)
{
	const struct perf_set *s = stap_program.probes[probe].state;
	u64 count = 0;

	if (!s || perf_read(s, &count))
		stap_fail_cstr(c, "the perf counter does not count here");
	return (stap_long)count;
}

static const char *perf_way(const struct stap_probe *p)
{
	const struct perf_set *s = p->state;

	return s->cpus ? "perf event per CPU" : "perf event per thread";
}

const struct stap_mechanism perf_mechanism = {
	.kind = STAP_ATTACH_PERF,
	.state_size = sizeof(struct perf_set),
	.attach = perf_attach,
	.detach = perf_detach,
	.cost = perf_cost,
	.way = perf_way,
};
