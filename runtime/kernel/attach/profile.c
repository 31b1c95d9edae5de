// SPDX-License-Identifier: GPL-2.0-or-later
// Timers that interrupt every CPU, with the registers of what they interrupt: STAP_ATTACH_PROFILE.
//
// A timer stays on its CPU: it starts when the CPU comes, also later, and is cancelled before the CPU goes, when the
// kernel would move it to another. The kernel's CPU hotplug calls for both, each time on the CPU itself.
#include <asm/irq_regs.h>
#include <linux/cpuhotplug.h>
#include <linux/hrtimer.h>
#include <linux/slab.h>
#include "../compat.h"
#include "../kernel.h"

struct profile_timer {
	struct hrtimer timer;
	struct stap_probe *probe;
};

struct profile_state {
	struct hlist_node node;       // in the list of whom the kernel calls
	struct profile_timer *timers; // one per possible CPU
	struct stap_probe *probe;
	int counts; // the kernel calls for it, and its timers run
};

static int hotplug_state; // under which the kernel knows our calls; 0: it does not
static u32 attached;      // probes; attaching and detaching is done by one at a time

static ktime_t profile_interval(const struct stap_probe *p)
{
	return ns_to_ktime(timer_interval(p->attach.profile.interval_ns));
}

static enum hrtimer_restart profile_hit(struct hrtimer *t)
{
	struct stap_probe *p = container_of(t, struct profile_timer, timer)->probe;
	struct stap_event event = {.regs = as_stap_regs(get_irq_regs())};

	stap_hit(p, &event);
	stap_session_timer_moved(p, hrtimer_forward_now(t, profile_interval(p)));
	return HRTIMER_RESTART;
}
NOKPROBE_SYMBOL(profile_hit);

static int cpu_comes(unsigned int cpu, struct hlist_node *node)
{
	struct profile_state *s = hlist_entry(node, struct profile_state, node);

	hrtimer_start(&s->timers[cpu].timer, profile_interval(s->probe), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static int cpu_goes(unsigned int cpu, struct hlist_node *node)
{
	hrtimer_cancel(&hlist_entry(node, struct profile_state, node)->timers[cpu].timer);
	return 0;
}

// The calls are there as long as a probe is attached.
static int hotplug_get(void)
{
	int rc;

	if (!attached) {
		rc = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "stap/profile:online", cpu_comes, cpu_goes);
		if (rc < 0)
			return rc;
		hotplug_state = rc;
	}
	attached++;
	return 0;
}

static void hotplug_put(void)
{
	if (!--attached)
		cpuhp_remove_multi_state(hotplug_state);
}

static int profile_attach(struct stap_probe *p)
{
	struct profile_state *s = p->state;
	int rc = -ENOMEM;
	u32 cpu;

	s->probe = p;
	s->timers = kcalloc(nr_cpu_ids, sizeof(*s->timers), GFP_KERNEL);
	if (!s->timers)
		return rc;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		s->timers[cpu].probe = p;
		compat_hrtimer_setup(&s->timers[cpu].timer, profile_hit, HRTIMER_MODE_REL_PINNED_HARD);
	}
	rc = hotplug_get();
	if (!rc) {
		rc = cpuhp_state_add_instance(hotplug_state, &s->node); // starts the timers of the CPUs there are
		s->counts = !rc;
		if (rc)
			hotplug_put();
	}
	if (rc)
		kfree(s->timers);
	else
		cost_measure_interrupt();
	return rc;
}

static int profile_arm(struct stap_probe *const *probes, u32 count, int on)
{
	int rc = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		struct profile_state *s = probes[i]->state;

		if (on == s->counts)
			continue;
		rc = on ? cpuhp_state_add_instance(hotplug_state, &s->node)
			: cpuhp_state_remove_instance(hotplug_state, &s->node);
		if (!rc)
			s->counts = on;
	}
	return rc;
}

static void profile_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct profile_state *s = probes[i]->state;

		if (s->counts)
			cpuhp_state_remove_instance(hotplug_state,
						    &s->node); // cancels them, waits for running handlers
		hotplug_put();
		kfree(s->timers);
	}
}

static const char *profile_way(const struct stap_probe *p)
{
	return "timer on each CPU";
}

const struct stap_mechanism profile_mechanism = {
	.kind = STAP_ATTACH_PROFILE,
	.state_size = sizeof(struct profile_state),
	.attach = profile_attach,
	.detach = profile_detach,
	.cost = cost_of_interrupt,
	.arm = profile_arm,
	.way = profile_way,
};
