// SPDX-License-Identifier: GPL-2.0-or-later
// Function entries and statements by kprobe: STAP_ATTACH_FUNCTION.
//
// The kernel serves it with ftrace at a function's patchable entry, by a jump or a breakpoint elsewhere. The module
// that holds the address stays loaded while the probe is on it: register_kprobe checks, and a module's going disarms
// it.
#include <linux/mm.h>
#include <linux/slab.h>
#include "../kernel.h"

// The kernel shows the address after the breakpoint (or call); scripts see the probed one.
static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct stap_probe_state *s = container_of(kp, struct stap_probe_state, kprobe);
	unsigned long ip = regs->ip;

	regs->ip = (unsigned long)kp->addr;
	s->probe->hit(s->probe, as_stap_regs(regs), NULL);
	regs->ip = ip;
	return 0;
}
NOKPROBE_SYMBOL(kprobe_hit);

void kprobe_set_place(struct stap_probe_state *s, struct kprobe *kp)
{
	const struct stap_attach *a = &s->probe->attach;

	if (a->flags & STAP_ATTACH_BY_NAME)
		kp->symbol_name = a->symbol;
	else
		kp->addr = (kprobe_opcode_t *)(unsigned long)s->address;
}

static int kprobe_attach(struct stap_probe_state *s)
{
	kprobe_set_place(s, &s->kprobe);
	s->kprobe.pre_handler = kprobe_hit;
	return register_kprobe(&s->kprobe);
}

static void kprobe_detach(struct stap_probe_state **states, u32 count)
{
	struct kprobe **list = kvcalloc(count, sizeof(*list), GFP_KERNEL);
	u32 i;

	for (i = 0; i < count; i++) {
		if (list)
			list[i] = &states[i]->kprobe;
		else
			unregister_kprobe(&states[i]->kprobe);
	}
	if (list)
		unregister_kprobes(list, count); // one wait for all
	kvfree(list);
	for (i = 0; i < count; i++)
		count_missed(states[i]->kprobe.nmissed);
}

const struct attach_mechanism kprobe_mechanism = {STAP_ATTACH_FUNCTION, kprobe_attach, kprobe_detach};
