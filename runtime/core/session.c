// SPDX-License-Identifier: GPL-2.0-or-later
// The life of a script: memory is allocated, begin probes run, the other probes are attached, and at the end they are
// detached and the end or error probes run.
#include "core.h"

#define MIN_RING_SIZE 8192u
#define MAX_RING_SIZE 0x40000000u

#define DEFAULT_RING         0x1000000u
#define LEAST_DEFAULT_RING   0x10000u
#define DEFAULT_RINGS_TOTAL  0x20000000u
#define DEFAULT_MEMORY_SHARE 32 // all rings take at most one part in so many of the available memory

// What a burst of 16 MiB on one CPU needs, unless all rings together would take too much of the memory that is there.
static u32 default_ring_size(void)
{
	u64 available = host_available_memory() / DEFAULT_MEMORY_SHARE;
	u64 share = (available < DEFAULT_RINGS_TOTAL ? available : DEFAULT_RINGS_TOTAL) / (host_online_cpu_count() + 1);
	u32 size = LEAST_DEFAULT_RING;

	while (size < DEFAULT_RING && size * 2 <= share)
		size *= 2;
	return size;
}

static u32 ring_bytes(const struct stap_program *p, u32 asked)
{
	u64 size = MIN_RING_SIZE, want = asked ? asked : p->limits.ring_size;

	if (!want)
		return default_ring_size();
	while (size < want && size < MAX_RING_SIZE)
		size *= 2;
	return (u32)size;
}

// --- memory --------------------------------------------------------------------------

static int globals_init(struct stap_program *p)
{
	for (u32 i = 0; i < p->global_count; i++) {
		struct stap_global *g = &p->globals[i];
		struct stap_global_str *s = g->object;

		g->lock = 0;
		if (g->kind == STAP_GLOBAL_MAP && stap_map_init(g->object, g->layout, g->name))
			return -STAP_ENOMEM;
		if (g->kind != STAP_GLOBAL_STR)
			continue;
		s->cap = p->limits.max_string_len;
		s->data = host_alloc((u64)s->cap + 8);
		if (!s->data)
			return -STAP_ENOMEM;
		stap_inline_str_set(&s->len, s->data, s->cap, g->initial_str);
	}
	return 0;
}

int stap_session_init(struct stap_program *p, u32 ring_size)
{
	int rc;

	mem_zero(&stap_core, sizeof(stap_core));
	stap_hash_seed = host_random();
	stap_hash_factor = host_random() | 1;
	stap_core.program = p;
	stap_core.first_actions = p->limits.max_action < STAP_BUDGET_PART ? p->limits.max_action : STAP_BUDGET_PART;
	stap_core.measures_time = p->limits.overload_interval || p->limits.timing;
	if (p->abi_version != STAP_ABI_VERSION || p->probe_count >= STAP_NO_PROBE)
		return -STAP_EINVAL;
	for (u32 i = 0; i < p->probe_count; i++)
		p->probes[i].index = i;
	if (p->limits.alibi)
		stap_alibi(p);
	rc = stap_cpus_init(p);
	if (!rc)
		rc = stap_shm_init(p, ring_bytes(p, ring_size));
	if (!rc)
		rc = stap_cpus_start();
	if (!rc)
		rc = globals_init(p);
	if (rc)
		stap_session_free(p);
	return rc;
}

void stap_session_free(struct stap_program *p)
{
	for (u32 i = 0; i < p->global_count; i++) {
		struct stap_global *g = &p->globals[i];
		struct stap_global_str *s = g->object;

		if (g->kind == STAP_GLOBAL_MAP)
			stap_map_free(g->object);
		if (g->kind == STAP_GLOBAL_STR && s->data) {
			host_free(s->data, (u64)s->cap + 8);
			s->data = STAP_NULL;
		}
	}
	stap_cpus_free();
	stap_shm_free();
	mem_zero(&stap_core, sizeof(stap_core));
}

struct stap_shm *stap_session_shm(u64 *size)
{
	*size = stap_core.shm_size;
	return stap_core.shm;
}

// --- states ------------------------------------------------------------------------

// A hit may change the state once more before the reader's copy is written here, and must not be overwritten: the
// reader would never learn that the script wants to end.
static int change_state(u32 from, u32 to)
{
	u32 now = to;

	if (!__atomic_compare_exchange_n(&stap_core.state, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		return 0;
	do {
		to = now;
		__atomic_store_n(&stap_core.shm->state, to, __ATOMIC_SEQ_CST);
		now = __atomic_load_n(&stap_core.state, __ATOMIC_SEQ_CST);
	} while (now != to);
	return 1;
}

void stap_session_request_stop(void)
{
	if (change_state(STAP_STATE_RUNNING, STAP_STATE_STOPPING) ||
	    change_state(STAP_STATE_STARTING, STAP_STATE_STOPPING))
		host_wake_reader();
}

void stap_session_fail(void)
{
	__atomic_store_n(&stap_core.failed, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&stap_core.shm->failed, 1, __ATOMIC_RELAXED);
	stap_session_request_stop();
}

// Begin, end and error probes have descriptions of one layout, so the priority of each is read as a begin probe's.
static s64 priority_of(const struct stap_probe *p)
{
	return p->attach.begin.priority;
}

// Runs the probes of a kind by rising priority, and those of the same priority in the order of their declaration. Each
// round searches all probes for the lowest priority that has not run yet; sorting them would not pay, for there are
// few.
static void run_probes(struct stap_program *p, u32 kind)
{
	s64 done = 0, next = 0;
	int any, first = 1;

	for (;;) {
		any = 0;
		for (u32 i = 0; i < p->probe_count; i++) {
			s64 priority = priority_of(&p->probes[i]);

			if (p->probes[i].attach.kind != kind || (!first && priority <= done))
				continue;
			if (!any || priority < next)
				next = priority;
			any = 1;
		}
		if (!any)
			return;
		for (u32 i = 0; i < p->probe_count; i++)
			if (p->probes[i].attach.kind == kind && priority_of(&p->probes[i]) == next)
				stap_hit_session(&p->probes[i]);
		done = next;
		first = 0;
	}
}

int stap_session_start(struct stap_program *p, u32 target_pid)
{
	int rc;

	stap_core.shm->target_pid = target_pid;
	if (!change_state(STAP_STATE_LOADED, STAP_STATE_STARTING))
		return -STAP_EINVAL;
	run_probes(p, STAP_ATTACH_BEGIN);
	if (__atomic_load_n(&stap_core.state, __ATOMIC_SEQ_CST) != STAP_STATE_STARTING)
		return 0; // exit() or an error in a begin probe
	rc = stap_attach_all(p);
	if (rc) {
		stap_core.stopped = 1; // neither end nor error probes: the script never ran
		change_state(STAP_STATE_STARTING, STAP_STATE_STOPPED);
		return rc;
	}
	if (change_state(STAP_STATE_STARTING, STAP_STATE_RUNNING))
		stap_attach_started(p);
	return 0;
}

// --- the end -------------------------------------------------------------------------

static int has_probes(const struct stap_program *p, u32 kind)
{
	for (u32 i = 0; i < p->probe_count; i++)
		if (p->probes[i].attach.kind == kind)
			return 1;
	return 0;
}

// After errors the end probes do not run, so what they would have printed is missing from the output. Tells the user
// about it, and what keeps it: an error probe, or a higher limit.
static void report_no_end(const struct stap_program *p)
{
	char text[160];
	u32 len = 0;

	if (!has_probes(p, STAP_ATTACH_END) || has_probes(p, STAP_ATTACH_ERROR))
		return;
	len = stap_append(text, sizeof(text), len,
			  STAP_STR("errors ended the script, so its end probes did not run; "
				   "`probe error` runs then, and -D"));
	len = stap_append(text, sizeof(text), len,
			  stap_core.overloaded         ? STAP_STR("STP_NO_OVERLOAD takes away the limit of overhead")
			  : stap_core.skipped_too_many ? STAP_STR("MAXSKIPPED=N lets N hits be skipped")
						       : STAP_STR("MAXERRORS=N lets N errors pass"));
	stap_emit_outside(STAP_RECORD_WARN, (struct stap_str){text, len});
}

int stap_session_wants_detach(void)
{
	return __atomic_load_n(&stap_core.state, __ATOMIC_SEQ_CST) == STAP_STATE_STOPPING &&
	       !__atomic_load_n(&stap_core.detached, __ATOMIC_RELAXED);
}

void stap_session_detach(struct stap_program *p)
{
	if (__atomic_exchange_n(&stap_core.detached, 1, __ATOMIC_RELAXED))
		return;
	stap_detach_all(p);
	if (stap_core.overloaded)
		stap_report_overload();
	if (stap_core.skipped_too_many)
		stap_emit_outside(STAP_RECORD_ERROR, STAP_STR("Skipped too many probes, check MAXSKIPPED or try again "
							      "with stap -t for more details."));
}

void stap_session_stop(struct stap_program *p)
{
	if (!stap_core.program || __atomic_exchange_n(&stap_core.stopped, 1, __ATOMIC_SEQ_CST))
		return;
	if (change_state(STAP_STATE_LOADED, STAP_STATE_STOPPED))
		return; // never started
	stap_session_request_stop();
	stap_session_detach(p);
	if (stap_core.failed)
		report_no_end(p);
	run_probes(p, STAP_ATTACH_END);
	if (stap_core.failed)
		run_probes(p, STAP_ATTACH_ERROR);
	for (u32 i = 0; i <= stap_core.cpu_count; i++)
		stap_ring_settle(&stap_core.cpus[i].ring);
	if (p->limits.timing)
		stap_report_times();
	change_state(STAP_STATE_STOPPING, STAP_STATE_STOPPED);
	host_wake_reader();
}

// --- globals from the command line ------------------------------------------------------

static int parse_long(struct stap_str s, stap_long *out)
{
	u32 i = 0, base = 10;
	int negative = s.len && s.ptr[0] == '-';
	u64 v = 0;

	i += negative;
	if (s.len >= i + 3 && s.ptr[i] == '0' && (s.ptr[i + 1] | 32) == 'x') {
		base = 16;
		i += 2;
	}
	if (i >= s.len)
		return -STAP_EINVAL;
	for (; i < s.len; i++) {
		char c = s.ptr[i];
		u32 digit = c >= '0' && c <= '9'                 ? (u32)(c - '0')
			    : (c | 32) >= 'a' && (c | 32) <= 'f' ? (u32)((c | 32) - 'a' + 10)
								 : 99;

		if (digit >= base || v > (~0ull - digit) / base)
			return -STAP_EINVAL;
		v = v * base + digit;
	}
	*out = negative ? stap_neg(v) : (stap_long)v;
	return 0;
}

int stap_session_set_global(struct stap_str name, struct stap_str value)
{
	struct stap_program *p = stap_core.program;

	for (u32 i = 0; i < p->global_count; i++) {
		struct stap_global *g = &p->globals[i];
		struct stap_global_str *s = g->object;

		if (!stap_str_eq(stap_cstr(g->name), name))
			continue;
		if (g->kind == STAP_GLOBAL_LONG)
			return parse_long(value, g->object);
		if (g->kind != STAP_GLOBAL_STR)
			return -STAP_EINVAL;
		stap_inline_str_set(&s->len, s->data, s->cap, value);
		return 0;
	}
	return -STAP_ENOENT;
}
