// SPDX-License-Identifier: GPL-2.0-or-later
// Timers that interrupt every CPU, with the registers of what they interrupt: STAP_ATTACH_PROFILE.
#include <asm/irq_regs.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/slab.h>
#include "../compat.h"
#include "../kernel.h"

struct profile_timer {
	struct hrtimer timer;
	struct stap_probe *probe;
};

struct profile_state {
	struct profile_timer *timers; // one per possible CPU
};

static ktime_t profile_interval(const struct stap_probe *p)
{
	return ns_to_ktime(timer_interval(p->attach.profile.interval_ns));
}

static enum hrtimer_restart profile_hit(struct hrtimer *t)
{
	struct stap_probe *p = container_of(t, struct profile_timer, timer)->probe;
	struct stap_event event = {.regs = as_stap_regs(get_irq_regs())};

	p->hit(p, &event);
	stap_session_timer_moved(p, hrtimer_forward_now(t, profile_interval(p)));
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(profile_hit);

// On its own CPU, by IPI: a pinned timer starts where it is to stay.
static void start_here(void *data)
{
	struct stap_probe *p = data;
	struct profile_state *s = p->state;

	hrtimer_start(&s->timers[smp_processor_id()].timer, profile_interval(p), HRTIMER_MODE_REL_PINNED_HARD);
}

static int profile_attach(struct stap_probe *p)
{
	struct profile_state *s = p->state;
	u32 cpu;

	s->timers = kcalloc(nr_cpu_ids, sizeof(*s->timers), GFP_KERNEL);
	if (!s->timers)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		s->timers[cpu].probe = p;
		compat_hrtimer_setup(&s->timers[cpu].timer, profile_hit, HRTIMER_MODE_REL_PINNED_HARD);
	}
	cpus_read_lock();
	on_each_cpu(start_here, p, 1);
	cpus_read_unlock();
	return 0;
}

static void profile_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i, cpu;

	for (i = 0; i < count; i++) {
		struct profile_state *s = probes[i]->state;

		for (cpu = 0; cpu < nr_cpu_ids; cpu++)
			hrtimer_cancel(&s->timers[cpu].timer);
		kfree(s->timers);
	}
}

const struct stap_mechanism profile_mechanism = {
	.kind = STAP_ATTACH_PROFILE,
	.state_size = sizeof(struct profile_state),
	.attach = profile_attach,
	.detach = profile_detach,
};
