// SPDX-License-Identifier: GPL-2.0-or-later
// Attaches a script's probes, each by the host's mechanism for its kind, and detaches them all.
#include "core.h"

#define STATE_ALIGNMENT 64

static char *states; // of all probes, one after the other
static u64 states_size;
static struct stap_probe **some; // room for all probes: those of a kind that a mechanism is asked to deal with
static u64 some_size;

static const struct stap_mechanism *mechanism_of(const struct stap_probe *p)
{
	for (u32 i = 0; host_mechanisms[i]; i++)
		if (host_mechanisms[i]->kind == p->attach.kind)
			return host_mechanisms[i];
	return STAP_NULL;
}

const struct stap_code_place *stap_probe_place(const struct stap_probe *p)
{
	const struct stap_mechanism *m = mechanism_of(p);

	return m && m->place ? m->place(&p->attach) : STAP_NULL;
}

const struct stap_file_place *stap_probe_file_place(const struct stap_probe *p)
{
	const struct stap_mechanism *m = mechanism_of(p);

	return m && m->file_place ? m->file_place(&p->attach) : STAP_NULL;
}

void stap_update_cost(const struct stap_probe *probe)
{
	struct stap_probe *p = &stap_core.program->probes[probe->index];
	const struct stap_mechanism *m = mechanism_of(p);

	if (m && m->cost)
		__atomic_store_n(&p->cost, m->cost(p), __ATOMIC_RELAXED);
}

static u64 state_size(const struct stap_probe *p)
{
	const struct stap_mechanism *m = mechanism_of(p);

	return m ? (m->state_size + STATE_ALIGNMENT - 1) & ~(u64)(STATE_ALIGNMENT - 1) : 0;
}

static int allocate(struct stap_program *p)
{
	states_size = 0;
	for (u32 i = 0; i < p->probe_count; i++)
		states_size += state_size(&p->probes[i]);
	some_size = p->probe_count * sizeof(*some);
	states = host_alloc(states_size + STATE_ALIGNMENT);
	some = host_alloc(some_size + sizeof(*some));
	return states && some ? 0 : -STAP_ENOMEM;
}

static void release(void)
{
	host_free(states, states_size + STATE_ALIGNMENT);
	host_free(some, some_size + sizeof(*some));
	states = STAP_NULL;
	some = STAP_NULL;
}

// Gives each probe its state, and has mechanisms look at all of theirs together.
static void prepare(struct stap_program *p)
{
	u64 used = 0;

	for (u32 i = 0; i < p->probe_count; i++) {
		p->probes[i].state = states + used;
		used += state_size(&p->probes[i]);
	}
	for (u32 i = 0; host_mechanisms[i]; i++) {
		const struct stap_mechanism *m = host_mechanisms[i];
		u32 count = 0;

		for (u32 j = 0; m->prepare && j < p->probe_count; j++)
			if (p->probes[j].attach.kind == m->kind)
				some[count++] = &p->probes[j];
		if (count)
			m->prepare(some, count);
	}
}

static void tell_way(const struct stap_probe *p)
{
	const struct stap_mechanism *m = mechanism_of(p);

	if (m->way)
		stap_shm_set_way(p, p->is_disarmed ? "nothing (if)" : m->way(p));
}

static int attach_one(struct stap_probe *p)
{
	const struct stap_mechanism *m = mechanism_of(p);
	int rc = m ? m->attach(p) : -STAP_ENOSYS;

	p->is_attached = !rc;
	if (!rc) {
		stap_update_cost(p);
		tell_way(p);
	}
	return rc;
}

// The session runs the others.
static u32 count_attachable(const struct stap_program *p)
{
	u32 n = 0;

	for (u32 i = 0; i < p->probe_count; i++)
		n += !stap_can_wait(&p->probes[i]);
	return n;
}

// --- arming: a probe whose condition does not hold (`probe X if (on)`) is attached, but not hit ---------------------

// The condition is evaluated by each handler that may have changed it, under its locks; that only tells the host, which
// has the probes armed or disarmed from where it can. Until then a handler tests its condition, and so it does always.
void stap_condition_changed(struct stap_ctx *c, u32 *condition, u32 holds, u32 failed)
{
	if (c->failed != failed) {
		c->failed = failed;
		holds = 1;
	}
	if (__atomic_exchange_n(condition, holds, __ATOMIC_RELAXED) != holds)
		host_conditions_changed();
}

static int is_wrong(const struct stap_probe *p, int on)
{
	return p->is_attached && p->condition && p->is_disarmed == (u32)on &&
	       (__atomic_load_n(p->condition, __ATOMIC_RELAXED) != 0) == on;
}

static int arm_kind(struct stap_program *p, const struct stap_mechanism *m, int on)
{
	u32 count = 0;
	int rc;

	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].attach.kind == m->kind && is_wrong(&p->probes[i], on))
			some[count++] = &p->probes[i];
	rc = count ? m->arm(some, count, on) : -1;
	for (u32 i = 0; i < count && !rc; i++) {
		some[i]->is_disarmed = !on;
		tell_way(some[i]);
	}
	return count && rc;
}

int stap_session_arm(struct stap_program *p)
{
	int again = 0;

	if (!p->conditions || !some)
		return 0;
	for (u32 i = 0; host_mechanisms[i]; i++)
		if (host_mechanisms[i]->arm)
			again |= arm_kind(p, host_mechanisms[i], 1) | arm_kind(p, host_mechanisms[i], 0);
	return again;
}

static struct attaching {
	u32 steps, wanted, succeeded;
	int last_error;
} attaching;

static int register_one(struct stap_probe *p)
{
	const struct stap_mechanism *m = mechanism_of(p);

	if (m && m->register_disarmed)
		m->register_disarmed(p);
	return 0;
}

static int attach_wanted(struct stap_probe *p)
{
	int rc = attach_one(p);

	attaching.wanted++;
	attaching.succeeded += !rc;
	if (!rc)
		return 0;
	attaching.last_error = rc;
	return host_attach_failed(p, rc);
}

// Attaching many probes may take long: the kernel patches itself for each that can't be attached with others. Who waits
// for it sees how far it is, and can end it between two probes, by a kill (the start fails) or by asking for the
// script's end (nothing more is attached). Each probe takes two steps, which are half of its way each.
static int step_all(struct stap_program *p, int (*step)(struct stap_probe *probe))
{
	int rc = 0;

	for (u32 i = 0; i < p->probe_count && !rc; i++) {
		if (stap_can_wait(&p->probes[i]))
			continue;
		if (stap_load(&stap_core.state) != STAP_STATE_STARTING)
			break;
		if (host_interrupted())
			return -STAP_EINTR;
		stap_store(&stap_core.shm->attach_done, attaching.steps++ / 2);
		rc = step(&p->probes[i]);
	}
	return rc;
}

int stap_attach_all(struct stap_program *p)
{
	int rc = allocate(p);

	attaching = (struct attaching){0};
	stap_store(&stap_core.shm->attach_total, count_attachable(p));
	if (!rc) {
		if (p->conditions)
			stap_evaluate_conditions();
		prepare(p);
		rc = step_all(p, register_one) ?: step_all(p, attach_wanted);
	}
	if (!rc && attaching.wanted && !attaching.succeeded)
		rc = attaching.last_error;
	if (rc)
		stap_detach_all(p);
	else if (stap_session_arm(p))
		host_conditions_changed();
	return rc;
}

static int has_attached(const struct stap_program *p, const struct stap_mechanism *m)
{
	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].attach.kind == m->kind && p->probes[i].state)
			return 1;
	return 0;
}

void stap_attach_started(struct stap_program *p)
{
	for (u32 i = 0; host_mechanisms[i]; i++)
		if (host_mechanisms[i]->started && has_attached(p, host_mechanisms[i]))
			host_mechanisms[i]->started();
}

static void detach_kind(struct stap_program *p, const struct stap_mechanism *m)
{
	u32 count = 0;

	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].attach.kind == m->kind && (m->prepare || p->probes[i].is_attached))
			some[count++] = &p->probes[i];
	if (count)
		m->detach(some, count);
}

static void count_missed(struct stap_program *p)
{
	for (u32 i = 0; i < p->probe_count; i++) {
		const struct stap_mechanism *m = p->probes[i].is_attached ? mechanism_of(&p->probes[i]) : STAP_NULL;

		if (m && m->count_missed)
			m->count_missed(&p->probes[i]);
	}
}

void stap_session_count_missed(struct stap_program *p)
{
	count_missed(p);
	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].is_attached)
			tell_way(&p->probes[i]);
}

void stap_detach_all(struct stap_program *p)
{
	if (states && some) {
		for (u32 i = 0; host_mechanisms[i]; i++)
			detach_kind(p, host_mechanisms[i]);
		host_wait_for_handlers();
		count_missed(p);
	}
	for (u32 i = 0; i < p->probe_count; i++) {
		p->probes[i].state = STAP_NULL;
		p->probes[i].is_attached = 0;
		p->probes[i].is_disarmed = 0;
	}
	release();
}
