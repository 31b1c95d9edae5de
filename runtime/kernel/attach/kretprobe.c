// SPDX-License-Identifier: GPL-2.0-or-later
// Function returns by kretprobe: STAP_ATTACH_RETURN. What the script wants of the entry (@entry) is saved in the
// instance.
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "../compat.h"
#include "../kernel.h"

struct kretprobe_state {
	struct kretprobe kretprobe;
	const struct stap_probe *probe;
	unsigned long missed; // those counted already
	int inactive;         // the same, of those for which there was no instance
};

static int function_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe(ri);
	struct stap_event event = {.regs = as_stap_regs(regs), .saved = (stap_long *)ri->data};
	unsigned long ip = regs->ip;
	const struct stap_probe *p;
	int skip;

	if (!rp)
		return 1; // unregistered meanwhile: this call is not followed
	p = container_of(rp, struct kretprobe_state, kretprobe)->probe;
	regs->ip = (unsigned long)rp->kp.addr;
	skip = stap_hit_entry(p, &event);
	regs->ip = ip;
	return skip;
}
NOKPROBE_SYMBOL(function_entered);

// The kernel shows its trampoline's address; scripts see where the function returns to.
static int function_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe(ri);
	unsigned long ip = regs->ip;
	const struct stap_probe *p;
	struct stap_event event;

	if (!rp)
		return 0; // unregistered meanwhile
	event = (struct stap_event){
		.regs = as_stap_regs(regs),
		.saved = (stap_long *)ri->data,
		.data = rp->kp.addr,
	};
	p = container_of(rp, struct kretprobe_state, kretprobe)->probe;
	regs->ip = compat_kretprobe_return_address(ri);
	stap_hit(p, &event);
	regs->ip = ip;
	return 0;
}
NOKPROBE_SYMBOL(function_returned);

// Those that measure what following a call costs, as in kprobe.c.
static struct kretprobe_state measuring_returns[KPROBE_WAYS];
static u32 return_cycles[KPROBE_WAYS];

static void kretprobe_measure(enum kprobe_way way)
{
	struct kretprobe_state *s = &measuring_returns[way];
	u32 without;

	if (s->probe || !cost_wanted())
		return;
	*s = (struct kretprobe_state){.kretprobe = {.handler = function_returned, .maxactive = num_possible_cpus()}};
	cost_set_place(&s->kretprobe.kp, way);
	without = cost_of_call(cost_function[way]);
	s->probe = &cost_no_probe;
	if (register_kretprobe(&s->kretprobe))
		s->probe = NULL;
	else
		return_cycles[way] = max(cost_of_call(cost_function[way]), without) - without;
}

static int kretprobe_attach(struct stap_probe *p)
{
	struct kretprobe_state *s = p->state;
	struct kretprobe *rp = &s->kretprobe;
	int rc;

	s->probe = p;
	rp->handler = function_returned;
	rp->entry_handler = p->entry ? function_entered : NULL;
	rp->data_size = p->saved_longs * sizeof(stap_long);
	rp->maxactive = p->attach.function_return.max_active ?: max(64u, 8 * num_possible_cpus());
	rc = kprobe_set_place(&rp->kp, &p->attach.function_return.place) ?: ftrace_hold() ?: register_kretprobe(rp);
	if (!rc && kprobe_way(&rp->kp) == BY_BREAKPOINT)
		kretprobe_measure(BY_BREAKPOINT);
	if (!rc)
		kretprobe_measure(BY_CALL);
	return rc;
}

static struct kretprobe *kretprobe_of(const struct stap_probe *p)
{
	return &((struct kretprobe_state *)p->state)->kretprobe;
}

// Half of it each, where the entry and the return are hits of their own.
static u32 kretprobe_cost(const struct stap_probe *p)
{
	u32 whole = return_cycles[kprobe_way(&kretprobe_of(p)->kp)];

	return p->entry ? whole / 2 : whole;
}

static void kretprobe_detach(struct stap_probe *const *probes, u32 count)
{
	struct kretprobe **list = kvcalloc(count + KPROBE_WAYS, sizeof(*list), GFP_KERNEL);
	u32 i, n = 0;

	for (i = 0; i < count + KPROBE_WAYS; i++) {
		struct kretprobe_state *s = i < count ? probes[i]->state : &measuring_returns[i - count];

		if (s->probe)
			kprobe_disarm(&s->kretprobe.kp);
		if (s->probe && list)
			list[n++] = &s->kretprobe;
		else if (s->probe)
			unregister_kretprobe(&s->kretprobe);
	}
	if (list)
		unregister_kretprobes(list, n); // one wait for all
	kvfree(list);
}

static void kretprobe_count_missed(struct stap_probe *p)
{
	struct kretprobe_state *s = p->state;
	unsigned long missed = READ_ONCE(s->kretprobe.kp.nmissed);
	int inactive = READ_ONCE(s->kretprobe.nmissed);

	stap_session_missed(p, STAP_SKIP_MISSED, missed - s->missed);
	stap_session_missed(p, STAP_SKIP_ACTIVE, (u32)(inactive - s->inactive));
	s->missed = missed;
	s->inactive = inactive;
}

static const struct stap_code_place *kretprobe_place(const struct stap_attach *a)
{
	return &a->function_return.place;
}

const struct stap_mechanism kretprobe_mechanism = {
	.kind = STAP_ATTACH_RETURN,
	.state_size = sizeof(struct kretprobe_state),
	.attach = kretprobe_attach,
	.detach = kretprobe_detach,
	.count_missed = kretprobe_count_missed,
	.cost = kretprobe_cost,
	.place = kretprobe_place,
};
