// SPDX-License-Identifier: GPL-2.0-or-later
// Function entries and statements: STAP_ATTACH_FUNCTION.
//
// Entries are hit by ftrace, all of them together (entries.c). What that does not serve is a kprobe: the kernel puts a
// jump or a breakpoint there. Where a place is known by its name only, a kprobe that is not armed finds it. The module
// that holds the address stays loaded while the probe is on it: register_kprobe checks, and a module's going disarms
// it.
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../kernel.h"

struct kprobe_state {
	struct entry entry;
	struct kprobe kprobe;
	const struct stap_probe *probe; // NULL: the kprobe is not registered
	unsigned long missed;           // those counted already
	int problem;                    // it can't be attached
};

// The kernel shows the address after the breakpoint (or call); scripts see the probed one.
static int kprobe_hit(struct kprobe *kp, struct pt_regs *regs)
{
	const struct stap_probe *p = container_of(kp, struct kprobe_state, kprobe)->probe;
	struct stap_event event = {.regs = as_stap_regs(regs)};
	unsigned long ip = regs->ip;

	regs->ip = (unsigned long)kp->addr;
	stap_hit(p, &event);
	regs->ip = ip;
	return 0;
}
NOKPROBE_SYMBOL(kprobe_hit);

// A processor that starts calls these before it can take a trap, and a breakpoint there is the machine's end without a
// word. The kernel does not refuse them (found by plugging processors under random probes, on 6.1).
static bool runs_before_traps(const char *function)
{
	static const char *const early[] = {"cpu_init_secondary", "memset", "__memset", "native_write_cr4",
					    "native_write_msr"};

	return IS_ENABLED(CONFIG_HOTPLUG_CPU) && match_string(early, ARRAY_SIZE(early), function) >= 0;
}

void kprobe_disarm(struct kprobe *kp)
{
	while (disable_kprobe(kp) == -ENOMEM)
		schedule_timeout_uninterruptible(1);
}

int kprobe_set_place(struct kprobe *kp, const struct stap_code_place *place)
{
	char name[KSYM_SYMBOL_LEN];

	if (place->symbol) {
		kp->symbol_name = place->symbol;
		return runs_before_traps(place->symbol) ? -EOPNOTSUPP : 0;
	}
	kp->addr = (kprobe_opcode_t *)(unsigned long)place_address(place);
	if (!kp->addr)
		return -ENOENT;
	sprint_symbol_no_offset(name, (unsigned long)kp->addr);
	return runs_before_traps(name) ? -EOPNOTSUPP : 0;
}

// Those that measure what a hit costs, each way. They stay until the others go: that is one wait less.
static struct kprobe_state measuring[KPROBE_WAYS];
static u32 cycles[KPROBE_WAYS];

static void kprobe_measure(enum kprobe_way way)
{
	struct kprobe_state *s = &measuring[way];
	u32 without;

	if (s->probe || !cost_wanted())
		return;
	*s = (struct kprobe_state){.kprobe = {.pre_handler = kprobe_hit}};
	cost_set_place(&s->kprobe, way);
	without = cost_of_call(cost_function[way]);
	s->probe = &cost_no_probe;
	if (register_kprobe(&s->kprobe))
		s->probe = NULL;
	else
		cycles[way] = max(cost_of_call(cost_function[way]), without) - without;
}

static int kprobe_register(struct kprobe_state *s, const struct stap_probe *p)
{
	int rc;

	s->probe = p; // it may be hit before the call returns
	rc = register_kprobe(&s->kprobe);
	if (rc)
		s->probe = NULL;
	return rc;
}

static int kprobe_find(struct kprobe_state *s, const struct stap_probe *p)
{
	int rc = kprobe_set_place(&s->kprobe, &p->attach.function.place);

	s->kprobe.pre_handler = kprobe_hit;
	if (!rc && s->kprobe.symbol_name) {
		s->kprobe.flags = KPROBE_FLAG_DISABLED;
		rc = kprobe_register(s, p);
	}
	if (!rc)
		entries_add(&s->entry, p, (unsigned long)s->kprobe.addr);
	return rc;
}

static void kprobe_prepare(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct kprobe_state *s = probes[i]->state;

		s->problem = kprobe_find(s, probes[i]);
	}
}

static int kprobe_attach(struct stap_probe *p)
{
	struct kprobe_state *s = p->state;
	int rc = s->problem;

	if (rc || entry_is_served(&s->entry))
		return rc;
	rc = ftrace_hold();
	if (!rc)
		rc = s->probe ? enable_kprobe(&s->kprobe) : kprobe_register(s, p);
	if (!rc && kprobe_way(&s->kprobe) == BY_BREAKPOINT)
		kprobe_measure(BY_BREAKPOINT);
	if (!rc) // a breakpoint may become a jump
		kprobe_measure(BY_CALL);
	return rc;
}

static u32 kprobe_cost(const struct stap_probe *p)
{
	const struct kprobe_state *s = p->state;

	return entry_is_served(&s->entry) ? entry_cost(&s->entry) : cycles[kprobe_way(&s->kprobe)];
}

int kprobe_rearm(struct kprobe *kp, int on)
{
	int rc = on ? enable_kprobe(kp) : disable_kprobe(kp);

	return rc == -ENOMEM ? rc : 0;
}

static int kprobe_arm(struct stap_probe *const *probes, u32 count, int on)
{
	int rc = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		struct kprobe_state *s = probes[i]->state;

		s->entry.disarmed = !on;
		if (!entry_is_served(&s->entry))
			rc = kprobe_rearm(&s->kprobe, on) ?: rc;
	}
	return entries_rearm() ?: rc;
}

static const char *kprobe_way_text(const struct stap_probe *p)
{
	const struct kprobe_state *s = p->state;

	return entry_is_served(&s->entry)          ? "ftrace"
	       : kprobe_is_jump(&s->kprobe)        ? "kprobe (jump)"
	       : kprobe_way(&s->kprobe) == BY_CALL ? "kprobe (ftrace)"
						   : "kprobe (breakpoint)";
}

static void kprobe_detach(struct stap_probe *const *probes, u32 count)
{
	struct kprobe **list = kvcalloc(count + KPROBE_WAYS, sizeof(*list), GFP_KERNEL);
	u32 i, n = 0;

	entries_detach();
	for (i = 0; i < count + KPROBE_WAYS; i++) {
		struct kprobe_state *s = i < count ? probes[i]->state : &measuring[i - count];

		if (s->probe)
			kprobe_disarm(&s->kprobe);
		if (s->probe && list)
			list[n++] = &s->kprobe;
		else if (s->probe)
			unregister_kprobe(&s->kprobe);
	}
	if (list)
		unregister_kprobes(list, n); // one wait for all
	kvfree(list);
}

static void kprobe_count_missed(struct stap_probe *p)
{
	struct kprobe_state *s = p->state;
	unsigned long missed = READ_ONCE(s->kprobe.nmissed);

	stap_session_missed(p, STAP_SKIP_MISSED, missed - s->missed);
	s->missed = missed;
}

static const struct stap_code_place *kprobe_place(const struct stap_attach *a)
{
	return &a->function.place;
}

const struct stap_mechanism kprobe_mechanism = {
	.kind = STAP_ATTACH_FUNCTION,
	.state_size = sizeof(struct kprobe_state),
	.prepare = kprobe_prepare,
	.attach = kprobe_attach,
	.detach = kprobe_detach,
	.count_missed = kprobe_count_missed,
	.cost = kprobe_cost,
	.arm = kprobe_arm,
	.way = kprobe_way_text,
	.place = kprobe_place,
};
