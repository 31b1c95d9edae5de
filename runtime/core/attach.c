// SPDX-License-Identifier: GPL-2.0-or-later
// Attaches a script's probes, each by the host's mechanism for its kind, and detaches them all.
#include "core.h"

#define STATE_ALIGNMENT 64

static char *states; // of all probes, one after the other
static u64 states_size;
static struct stap_probe **attached; // room for all probes; used while they are detached
static u64 attached_size;

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
	attached_size = p->probe_count * sizeof(*attached);
	states = host_alloc(states_size + STATE_ALIGNMENT);
	attached = host_alloc(attached_size + sizeof(*attached));
	return states && attached ? 0 : -STAP_ENOMEM;
}

static void release(void)
{
	host_free(states, states_size + STATE_ALIGNMENT);
	host_free(attached, attached_size + sizeof(*attached));
	states = STAP_NULL;
	attached = STAP_NULL;
}

static int attach_one(struct stap_probe *p, void *state)
{
	const struct stap_mechanism *m = mechanism_of(p);
	int rc;

	p->state = state;
	rc = m ? m->attach(p) : -STAP_ENOSYS;
	if (rc)
		p->state = STAP_NULL;
	else
		stap_update_cost(p);
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

// Attaching many probes takes long: the kernel patches itself for each. Who waits for it sees how far it is, and can
// end it between two probes, by a kill (the start fails) or by asking for the script's end (nothing more is attached).
int stap_attach_all(struct stap_program *p)
{
	u32 wanted = 0, succeeded = 0;
	u64 used = 0;
	int rc = allocate(p), last_error = 0;

	stap_store(&stap_core.shm->attach_total, count_attachable(p));
	for (u32 i = 0; i < p->probe_count && !rc; i++) {
		struct stap_probe *probe = &p->probes[i];

		if (stap_can_wait(probe))
			continue;
		if (stap_load(&stap_core.state) != STAP_STATE_STARTING)
			break;
		if (host_interrupted()) {
			rc = -STAP_EINTR;
			break;
		}
		stap_store(&stap_core.shm->attach_done, wanted++);
		last_error = attach_one(probe, states + used);
		used += state_size(probe);
		if (last_error)
			rc = host_attach_failed(probe, last_error);
		else
			succeeded++;
	}
	if (!rc && wanted && !succeeded)
		rc = last_error;
	if (rc)
		stap_detach_all(p);
	return rc;
}

static void detach_kind(struct stap_program *p, const struct stap_mechanism *m)
{
	u32 count = 0;

	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].attach.kind == m->kind && p->probes[i].state)
			attached[count++] = &p->probes[i];
	if (count)
		m->detach(attached, count);
}

void stap_session_count_missed(struct stap_program *p)
{
	for (u32 i = 0; i < p->probe_count; i++) {
		const struct stap_mechanism *m = p->probes[i].state ? mechanism_of(&p->probes[i]) : STAP_NULL;

		if (m && m->count_missed)
			m->count_missed(&p->probes[i]);
	}
}

void stap_detach_all(struct stap_program *p)
{
	if (states && attached) {
		for (u32 i = 0; host_mechanisms[i]; i++)
			detach_kind(p, host_mechanisms[i]);
		host_wait_for_handlers();
		stap_session_count_missed(p);
	}
	for (u32 i = 0; i < p->probe_count; i++)
		p->probes[i].state = STAP_NULL;
	release();
}
