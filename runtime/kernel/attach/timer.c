// SPDX-License-Identifier: GPL-2.0-or-later
// Timers by hrtimer, in hard interrupt context on every kind of kernel, on whichever CPU: STAP_ATTACH_TIMER.
#include <linux/hrtimer.h>
#include "../compat.h"
#include "../kernel.h"

#define MIN_INTERVAL_NS 1000

struct timer_state {
	struct hrtimer timer;
	struct stap_probe *probe;
	u64 random;
};

u64 timer_interval(u64 interval_ns)
{
	return max_t(u64, interval_ns ?: NSEC_PER_SEC / HZ, MIN_INTERVAL_NS);
}

u64 timer_random(const struct stap_probe *p)
{
	return host_cycles() * 0x9e3779b97f4a7c15ull + p->index + 1;
}

u64 timer_next_interval(u64 interval_ns, u64 randomize_ns, u64 *random)
{
	u64 spread = min(randomize_ns, interval_ns);

	if (!spread)
		return timer_interval(interval_ns);
	*random ^= *random << 13; // xorshift64 (Marsaglia 2003)
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return timer_interval(interval_ns - spread + *random % (2 * spread + 1));
}

static u64 next_interval(struct timer_state *s)
{
	const struct stap_attach_timer *a = &s->probe->attach.timer;

	return timer_next_interval(a->interval_ns, a->randomize_ns, &s->random);
}

static enum hrtimer_restart timer_hit(struct hrtimer *t)
{
	struct timer_state *s = container_of(t, struct timer_state, timer);
	struct stap_event event = {0};

	stap_hit(s->probe, &event);
	stap_session_timer_moved(s->probe, hrtimer_forward_now(t, ns_to_ktime(next_interval(s))));
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(timer_hit);

static int timer_attach(struct stap_probe *p)
{
	struct timer_state *s = p->state;

	s->probe = p;
	s->random = timer_random(p);
	compat_hrtimer_setup(&s->timer, timer_hit, HRTIMER_MODE_REL_HARD);
	hrtimer_start(&s->timer, ns_to_ktime(next_interval(s)), HRTIMER_MODE_REL_HARD);
	cost_measure_interrupt();
	return 0;
}

static void timer_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		hrtimer_cancel(&((struct timer_state *)probes[i]->state)->timer); // waits for a running handler
}

static int timer_arm(struct stap_probe *const *probes, u32 count, int on)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct timer_state *s = probes[i]->state;

		if (on)
			hrtimer_start(&s->timer, ns_to_ktime(next_interval(s)), HRTIMER_MODE_REL_HARD);
		else
			hrtimer_cancel(&s->timer);
	}
	return 0;
}

static const char *timer_way(const struct stap_probe *p)
{
	return "timer";
}

const struct stap_mechanism timer_mechanism = {
	.kind = STAP_ATTACH_TIMER,
	.state_size = sizeof(struct timer_state),
	.attach = timer_attach,
	.detach = timer_detach,
	.cost = cost_of_interrupt,
	.arm = timer_arm,
	.way = timer_way,
};
