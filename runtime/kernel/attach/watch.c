// SPDX-License-Identifier: GPL-2.0-or-later
// Watchpoints: the processor's debug registers tell of accesses to a few bytes of memory: STAP_ATTACH_WATCH.
#include <linux/hw_breakpoint.h>
#include "../perf.h"

static void watch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct stap_probe *p = event->overflow_handler_context;
	struct stap_event hit = {.regs = as_stap_regs(regs)};

	if (perf_is_wanted(p->state))
		stap_hit(p, &hit);
}
NOKPROBE_SYMBOL(watch_hit);

static const char *watch_reason(int rc)
{
	switch (rc) {
	case -ENOSPC: return "all debug registers of the processor are taken: it has four";
	case -EINVAL: return "the processor can't watch this address: it must be a multiple of the length";
	case -ENOENT: return "its address is not known";
	case -ESRCH: return "there is no such process: -c or -x names one, or starts it";
	}
	return "the kernel refuses it";
}

static int watch_attach(struct stap_probe *p)
{
	const struct stap_attach_watch *a = &p->attach.watch;
	struct perf_set *s = p->state;
	int rc;

	s->probe = p;
	s->hit = watch_hit;
	hw_breakpoint_init(&s->attr);
	s->attr.bp_addr = place_address(&a->place);
	s->from_entry = a->from_entry;
	s->attr.bp_len = a->length; // HW_BREAKPOINT_LEN_n is n
	s->attr.bp_type = a->reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	rc = s->attr.bp_addr ? perf_open(s, a->bound, a->program, a->pid, &a->start) : -ENOENT;
	if (rc)
		report(&stap_program, STAP_RECORD_WARN, "probe %s: %s", p->point, watch_reason(rc));
	return rc;
}

static void watch_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		perf_close(probes[i]->state);
}

static const struct stap_code_place *watch_place(const struct stap_attach *a)
{
	return &a->watch.place;
}

static const char *watch_way(const struct stap_probe *p)
{
	return "debug register";
}

const struct stap_mechanism watch_mechanism = {
	.kind = STAP_ATTACH_WATCH,
	.state_size = sizeof(struct perf_set),
	.attach = watch_attach,
	.detach = watch_detach,
	.place = watch_place,
	.way = watch_way,
};
