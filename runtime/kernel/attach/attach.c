// SPDX-License-Identifier: GPL-2.0-or-later
// Attaches a script's probes to the kernel, each by the mechanism of its kind, and detaches them all.
//
// Attaching one probe may fail (inlined away, in a section that kprobes refuse): that is a warning,
// and the others go on. Detaching returns when no handler is running any more.
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "../kernel.h"

static const struct attach_mechanism *const mechanisms[] = {
	&timer_mechanism, &profile_mechanism, &kprobe_mechanism, &kretprobe_mechanism, &tracepoint_mechanism,
};

static struct stap_probe_state *states; // [probe_count]
static u64 missed;

static const struct attach_mechanism *mechanism_of(const struct stap_probe *probe)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(mechanisms); i++)
		if (mechanisms[i]->kind == probe->attach.kind)
			return mechanisms[i];
	return NULL;
}

static bool has_address(const struct stap_probe *probe)
{
	return probe->attach.kind == STAP_ATTACH_FUNCTION || probe->attach.kind == STAP_ATTACH_RETURN;
}

static int attach_one(struct stap_program *p, struct stap_probe_state *s, const struct attach_mechanism *m)
{
	const struct stap_attach *a = &s->probe->attach;
	int rc = 0;

	s->probe->state = s;
	s->random = host_cycles() * 0x9e3779b97f4a7c15ull + s->probe->index + 1;
	if (has_address(s->probe) && !(a->flags & STAP_ATTACH_BY_NAME)) {
		s->address = addresses_find(a->module, a->section, a->offset);
		rc = s->address ? 0 : -ENOENT;
	}
	rc = rc ?: m->attach(s);
	s->attached = rc == 0;
	if (rc && !(a->flags & STAP_ATTACH_OPTIONAL))
		report(p, STAP_RECORD_WARN, "probe %s (address 0x%llx) registration error (rc %d)", s->probe->point,
		       s->address, rc);
	return rc;
}

int host_attach_all(struct stap_program *p)
{
	u32 i, wanted = 0, attached = 0;
	int rc, last_error = 0;

	missed = 0;
	states = kvcalloc(p->probe_count ?: 1, sizeof(*states), GFP_KERNEL);
	if (!states)
		return -ENOMEM;
	for (i = 0; i < p->probe_count; i++) {
		const struct attach_mechanism *m = mechanism_of(&p->probes[i]);

		if (!m)
			continue; // begin, end, error: the session's
		states[i].probe = &p->probes[i];
		wanted++;
		rc = attach_one(p, &states[i], m);
		if (rc)
			last_error = rc;
		else
			attached++;
	}
	if (!wanted || attached)
		return 0;
	host_detach_all(p);
	return last_error;
}

static void detach_kind(struct stap_program *p, const struct attach_mechanism *m, struct stap_probe_state **list)
{
	u32 i, count = 0;

	for (i = 0; i < p->probe_count; i++)
		if (states[i].attached && states[i].probe->attach.kind == m->kind)
			list[count++] = &states[i];
	if (count)
		m->detach(list, count);
	for (i = 0; i < count; i++)
		list[i]->attached = false;
}

void host_detach_all(struct stap_program *p)
{
	struct stap_probe_state **list;
	u32 i;

	if (!states)
		return;
	list = kvcalloc(p->probe_count ?: 1, sizeof(*list), GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < ARRAY_SIZE(mechanisms); i++)
		detach_kind(p, mechanisms[i], list);
	synchronize_rcu(); // handlers run with preemption off: all have ended
	kvfree(list);
	for (i = 0; i < p->probe_count; i++)
		p->probes[i].state = NULL;
	kvfree(states);
	states = NULL;
	stap_session_missed(missed);
	missed = 0;
}

void count_missed(u64 hits)
{
	missed += hits;
}
