// SPDX-License-Identifier: GPL-2.0-or-later
// Timers by hrtimer, in hard interrupt context on every kind of kernel: one anywhere, or one on each CPU with
// registers.
#include <asm/irq_regs.h>
#include <linux/cpu.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include "../compat.h"
#include "../kernel.h"

#define MIN_INTERVAL_NS 1000

// A tick that interrupts a handler on its CPU would be skipped, and a report every second
// would now and then be missing: it comes a little later instead.
#define DEFER_NS      20000
#define MAX_DEFERRALS 500

// The interval, give or take up to `randomize_ns`.
static u64 next_interval(struct stap_probe_state *s)
{
	const struct stap_attach *a = &s->probe->attach;
	u64 interval = a->interval_ns ?: NSEC_PER_SEC / HZ;

	if (a->randomize_ns) {
		u64 spread = min(a->randomize_ns, interval);

		s->random ^= s->random << 13; // xorshift64 (Marsaglia 2003)
		s->random ^= s->random >> 7;
		s->random ^= s->random << 17;
		interval = interval - spread + s->random % (2 * spread + 1);
	}
	return max_t(u64, interval, MIN_INTERVAL_NS);
}

static enum hrtimer_restart timer_hit(struct hrtimer *t)
{
	struct stap_probe_state *s = container_of(t, struct stap_probe_state, timer);

	if (s->deferrals < MAX_DEFERRALS && stap_busy_here()) {
		if (!s->deferrals++)
			s->due = hrtimer_get_expires(t);
		hrtimer_forward_now(t, ns_to_ktime(DEFER_NS));
		return HRTIMER_RESTART;
	}
	s->probe->hit(s->probe, NULL, NULL);
	if (s->deferrals) // the next tick is counted from when this one was due
		hrtimer_set_expires(t, s->due);
	s->deferrals = 0;
	hrtimer_forward_now(t, ns_to_ktime(next_interval(s)));
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(timer_hit);

static int timer_attach(struct stap_probe_state *s)
{
	compat_hrtimer_setup(&s->timer, timer_hit, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&s->timer, ns_to_ktime(next_interval(s)), HRTIMER_MODE_REL_HARD);
	return 0;
}

static void timer_detach(struct stap_probe_state **states, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		hrtimer_cancel(&states[i]->timer); // waits for a running handler
}

const struct attach_mechanism timer_mechanism = {STAP_ATTACH_TIMER, timer_attach, timer_detach};

struct profile_timer {
	struct hrtimer timer;
	struct stap_probe_state *state;
};

static enum hrtimer_restart profile_hit(struct hrtimer *t)
{
	struct stap_probe_state *s = container_of(t, struct profile_timer, timer)->state;

	s->probe->hit(s->probe, as_stap_regs(get_irq_regs()), NULL);
	hrtimer_forward_now(
		t, ns_to_ktime(max_t(u64, s->probe->attach.interval_ns ?: NSEC_PER_SEC / HZ, MIN_INTERVAL_NS)));
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(profile_hit);

// On its own CPU, by IPI: a pinned timer starts where it is to stay.
static void start_here(void *data)
{
	struct stap_probe_state *s = data;
	struct hrtimer *t = &s->profile[smp_processor_id()].timer;

	hrtimer_start(t, ns_to_ktime(next_interval(s)), HRTIMER_MODE_REL_PINNED_HARD);
}

static int profile_attach(struct stap_probe_state *s)
{
	u32 cpu;

	s->profile = kcalloc(nr_cpu_ids, sizeof(*s->profile), GFP_KERNEL);
	if (!s->profile)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		s->profile[cpu].state = s;
		compat_hrtimer_setup(&s->profile[cpu].timer, profile_hit, HRTIMER_MODE_REL_PINNED_HARD);
	}
	cpus_read_lock();
	on_each_cpu(start_here, s, 1);
	cpus_read_unlock();
	return 0;
}

static void profile_detach(struct stap_probe_state **states, u32 count)
{
	u32 i, cpu;

	for (i = 0; i < count; i++) {
		for (cpu = 0; cpu < nr_cpu_ids; cpu++)
			hrtimer_cancel(&states[i]->profile[cpu].timer);
		kfree(states[i]->profile);
	}
}

const struct attach_mechanism profile_mechanism = {STAP_ATTACH_PROFILE, profile_attach, profile_detach};
