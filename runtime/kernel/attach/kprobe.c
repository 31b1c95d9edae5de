// SPDX-License-Identifier: GPL-2.0-or-later
// Function entries and statements: STAP_ATTACH_FUNCTION.
//
// Entries are hit by ftrace, all of them together (entries.c). What that does not serve is a kprobe: the kernel puts a
// jump or a breakpoint there. Where a place is known by its name only, a kprobe that is not armed finds it. A place in
// a module that is not loaded waits (-EAGAIN), and does so again when the module has gone (modules.c).
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

#define LONGEST_WAIT_MS 3000

// Whoever else has a kprobe there keeps the breakpoint or jump; that is not waited for long.
void kprobe_disarm_now(struct kprobe *kp)
{
	const unsigned long deadline = jiffies + msecs_to_jiffies(LONGEST_WAIT_MS);
	kprobe_opcode_t now;

	kprobe_disarm(kp);
	if (kp->flags & KPROBE_FLAG_FTRACE)
		return;
	while (!host_read_kernel(&now, (unsigned long)kp->addr, sizeof(now)) && now != kp->opcode &&
	       time_before(jiffies, deadline))
		schedule_timeout_uninterruptible(1);
}

int kprobe_set_place(struct kprobe *kp, const struct stap_code_place *place)
{
	char name[KSYM_SYMBOL_LEN];

	if (!addresses_has_place(place))
		return -EAGAIN;
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

static int kprobe_look(struct kprobe_state *s, const struct stap_probe *p)
{
	int rc = kprobe_set_place(&s->kprobe, &p->attach.function.place);

	s->kprobe.pre_handler = kprobe_hit;
	if (!rc && s->kprobe.symbol_name) {
		s->kprobe.flags = KPROBE_FLAG_DISABLED;
		rc = kprobe_register(s, p);
	}
	if (rc)
		return rc;
	s->entry.address = (unsigned long)s->kprobe.addr;
	entries_add(&s->entry, p, s->entry.address);
	return 0;
}

static void kprobe_find(struct stap_probe *p)
{
	struct kprobe_state *s = p->state;

	s->problem = kprobe_look(s, p);
}

static void kprobe_prepare(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	modules_lock();
	modules_open();
	for (i = 0; i < count; i++) {
		struct kprobe_state *s = probes[i]->state;

		kprobe_find(probes[i]);
		entries_expect(s->problem == -EAGAIN);
	}
	modules_unlock();
}

static void kprobe_put_disarmed(struct stap_probe *p)
{
	struct kprobe_state *s = p->state;

	if (s->problem || s->probe || entry_is_served(&s->entry))
		return;
	s->kprobe.flags = KPROBE_FLAG_DISABLED;
	s->problem = kprobe_register(s, p);
}

// A work of the kernel's puts jumps in place of breakpoints, the first time 5 ticks after a kprobe was armed. It holds
// the lock that registering and arming take while it waits until every task has been scheduled, a tenth of a second or
// so. Registering takes many times as long as arming, so all kprobes are registered before the first is armed: few of
// these waits come in between then.
static void kprobe_register_disarmed(struct stap_probe *p)
{
	modules_lock();
	kprobe_put_disarmed(p);
	modules_unlock();
}

static int kprobe_put(struct stap_probe *p)
{
	struct kprobe_state *s = p->state;
	int rc;

	kprobe_put_disarmed(p);
	rc = s->problem;
	if (rc || entry_is_served(&s->entry))
		return rc == -EAGAIN ? 0 : rc;
	rc = ftrace_hold();
	if (!rc && !s->entry.disarmed)
		rc = enable_kprobe(&s->kprobe);
	if (!rc && kprobe_way(&s->kprobe) == BY_BREAKPOINT)
		kprobe_measure(BY_BREAKPOINT);
	if (!rc) // a breakpoint may become a jump
		kprobe_measure(BY_CALL);
	return rc;
}

static int kprobe_attach(struct stap_probe *p)
{
	int rc;

	modules_lock();
	rc = kprobe_put(p);
	modules_unlock();
	return rc;
}

static bool kprobe_waits(const struct kprobe_state *s)
{
	return s->problem == -EAGAIN;
}

static u32 kprobe_cost(const struct stap_probe *p)
{
	const struct kprobe_state *s = p->state;

	if (kprobe_waits(s))
		return 0;
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

	modules_lock();
	for (i = 0; i < count; i++) {
		struct kprobe_state *s = probes[i]->state;

		s->entry.disarmed = !on;
		if (s->probe && !entry_is_served(&s->entry))
			rc = kprobe_rearm(&s->kprobe, on) ?: rc;
	}
	rc = entries_rearm() ?: rc;
	modules_unlock();
	return rc;
}

static const char *kprobe_way_text(const struct stap_probe *p)
{
	const struct kprobe_state *s = p->state;

	return kprobe_waits(s)                     ? "nothing (no such module)"
	       : entry_is_served(&s->entry)        ? "ftrace"
	       : kprobe_is_jump(&s->kprobe)        ? "kprobe (jump)"
	       : kprobe_way(&s->kprobe) == BY_CALL ? "kprobe (ftrace)"
						   : "kprobe (breakpoint)";
}

static void kprobe_count_missed(struct stap_probe *p)
{
	struct kprobe_state *s = p->state;
	unsigned long missed = READ_ONCE(s->kprobe.nmissed);

	stap_session_missed(p, STAP_SKIP_MISSED, missed - s->missed);
	s->missed = missed;
}

// The kprobes of `count` probes, and those that measure behind them.
static void kprobes_unregister(struct stap_probe *const *probes, u32 count, u32 measuring_count)
{
	struct kprobe **list = kvcalloc(count + measuring_count, sizeof(*list), GFP_KERNEL);
	u32 i, n = 0;

	for (i = 0; i < count + measuring_count; i++) {
		struct kprobe_state *s = i < count ? probes[i]->state : &measuring[i - count];

		if (s->probe)
			kprobe_disarm(&s->kprobe);
		if (s->probe && list)
			list[n++] = &s->kprobe;
		else if (s->probe)
			unregister_kprobe(&s->kprobe);
	}
	if (n)
		unregister_kprobes(list, n); // one wait for all
	kvfree(list);
}

static void kprobe_lift(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct kprobe_state *s = probes[i]->state;

		if (s->probe)
			kprobe_disarm_now(&s->kprobe);
	}
	kprobes_unregister(probes, count, 0);
	for (i = 0; i < count; i++) {
		struct kprobe_state *s = probes[i]->state;

		kprobe_count_missed(probes[i]);
		s->kprobe = (struct kprobe){};
		s->probe = NULL;
		s->missed = 0;
		s->entry.address = 0;
		s->problem = -EAGAIN;
	}
}

static void kprobe_detach(struct stap_probe *const *probes, u32 count)
{
	modules_lock();
	modules_close();
	entries_detach();
	kprobes_unregister(probes, count, KPROBE_WAYS);
	modules_unlock();
}

static struct entry *kprobe_entry(const struct stap_probe *p)
{
	return &((struct kprobe_state *)p->state)->entry;
}

const struct code_mechanism kprobe_code = {
	.kind = STAP_ATTACH_FUNCTION,
	.find = kprobe_find,
	.put = kprobe_put,
	.entry = kprobe_entry,
	.lift = kprobe_lift,
};

static const struct stap_code_place *kprobe_place(const struct stap_attach *a)
{
	return &a->function.place;
}

const struct stap_mechanism kprobe_mechanism = {
	.kind = STAP_ATTACH_FUNCTION,
	.state_size = sizeof(struct kprobe_state),
	.prepare = kprobe_prepare,
	.register_disarmed = kprobe_register_disarmed,
	.attach = kprobe_attach,
	.started = modules_tell_waiting,
	.detach = kprobe_detach,
	.count_missed = kprobe_count_missed,
	.cost = kprobe_cost,
	.arm = kprobe_arm,
	.way = kprobe_way_text,
	.place = kprobe_place,
};
