// SPDX-License-Identifier: GPL-2.0-or-later
// Function returns by kretprobe: STAP_ATTACH_RETURN. What the script wants of the entry (@entry) is saved in the
// instance.
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "../compat.h"
#include "../kernel.h"

static struct stap_probe_state *state_of(struct kretprobe_instance *ri)
{
	return container_of(compat_kretprobe(ri), struct stap_probe_state, kretprobe);
}

static int function_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct stap_probe_state *s = state_of(ri);
	unsigned long ip = regs->ip;
	int skip;

	regs->ip = (unsigned long)s->kretprobe.kp.addr;
	skip = s->probe->entry(s->probe, as_stap_regs(regs), (stap_long *)ri->data);
	regs->ip = ip;
	return skip;
}
NOKPROBE_SYMBOL(function_entered);

// The kernel shows its trampoline's address; scripts see where the function returns to.
static int function_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe(ri);
	struct stap_probe_state *s;
	unsigned long ip = regs->ip;

	if (!rp)
		return 0; // unregistered meanwhile
	s = container_of(rp, struct stap_probe_state, kretprobe);
	regs->ip = compat_kretprobe_return_address(ri);
	s->probe->hit(s->probe, as_stap_regs(regs), (stap_long *)ri->data);
	regs->ip = ip;
	return 0;
}
NOKPROBE_SYMBOL(function_returned);

static int kretprobe_attach(struct stap_probe_state *s)
{
	const struct stap_attach *a = &s->probe->attach;
	struct kretprobe *rp = &s->kretprobe;

	kprobe_set_place(s, &rp->kp);
	rp->handler = function_returned;
	rp->entry_handler = s->probe->entry ? function_entered : NULL;
	rp->data_size = a->saved_longs * sizeof(stap_long);
	rp->maxactive = a->max_active ?: max(64u, 8 * num_possible_cpus());
	return register_kretprobe(rp);
}

static void kretprobe_detach(struct stap_probe_state **states, u32 count)
{
	struct kretprobe **list = kvcalloc(count, sizeof(*list), GFP_KERNEL);
	u32 i;

	for (i = 0; i < count; i++) {
		if (list)
			list[i] = &states[i]->kretprobe;
		else
			unregister_kretprobe(&states[i]->kretprobe);
	}
	if (list)
		unregister_kretprobes(list, count); // one wait for all
	kvfree(list);
	for (i = 0; i < count; i++)
		count_missed(states[i]->kretprobe.nmissed + states[i]->kretprobe.kp.nmissed);
}

const struct attach_mechanism kretprobe_mechanism = {STAP_ATTACH_RETURN, kretprobe_attach, kretprobe_detach};
