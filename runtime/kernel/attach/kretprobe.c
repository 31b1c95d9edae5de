// SPDX-License-Identifier: GPL-2.0-or-later
// Function returns: STAP_ATTACH_RETURN.
//
// A kretprobe follows a call: where the function is entered it puts an address of the kernel's in place of that to
// which the function returns, and keeps an instance meanwhile, which has the values that the script wants of the entry
// (@entry). A kretprobe for each function would be armed for itself, which is slow (entries.c). So the entries are hit
// by ftrace, all together, and from there return_follow() begins to follow the call by what registration leaves in each
// kretprobe: the function that the kernel calls at its entry. These kretprobes are never armed. They have the
// instances, and so are called pools here. A probe has a pool of its own, unless there are so many that their instances
// would take too much memory; then several share one. Whose call an instance follows is the first word of its data.
//
// What ftrace does not serve is a kretprobe of its own at its place; so is every return before 5.11, where following a
// call took locks.
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include "../compat.h"
#include "../kernel.h"

#define SHARED_POOLS      32
#define SHARED_POOL_LIMIT 1024 // instances

// A kretprobe with what its hits need.
struct follower {
	struct kretprobe kretprobe;
	const struct entry *entry; // the probe; NULL: several, and each instance begins with the entry of its own
};

struct kretprobe_state {
	struct entry entry;
	struct follower own;
	const struct stap_probe *probe; // NULL: the kretprobe is not registered
	unsigned long missed;           // those counted already
	int inactive, pool_inactive;    // the same, of those for which there was no instance
	int problem;                    // it can't be attached
};

static struct pool {
	struct follower follower;
	u32 users;
	bool registered;
} * pools; // the first is for measuring, the shared ones come next
static u32 pool_count;

// --- hits ----------------------------------------------------------------------------------------------------------

static const struct follower *follower_of(const struct kretprobe *rp)
{
	return container_of(rp, struct follower, kretprobe);
}

static int begin_following(const struct entry *e, stap_long *saved, struct pt_regs *regs)
{
	struct stap_event event = {.regs = as_stap_regs(regs), .saved = saved};
	unsigned long ip = regs->ip;
	int skip;

	regs->ip = e->address;
	skip = stap_hit_entry(e->probe, &event);
	regs->ip = ip;
	return skip;
}
NOKPROBE_SYMBOL(begin_following);

// At the function's entry, when there is an instance. Nonzero: this call is not followed.
static int own_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe(ri);

	if (!rp)
		return 1; // unregistered meanwhile
	return begin_following(follower_of(rp)->entry, (stap_long *)ri->data, regs);
}
NOKPROBE_SYMBOL(own_entered);

// What return_follow() tells shared_entered(), through the kernel's function in between: its address is in orig_ax,
// which is not a register of the function's.
struct following {
	const struct entry *entry;
	unsigned long orig_ax;
	bool has_instance;
};

struct shared_data {
	const struct entry *entry;
	stap_long saved[];
};

static int shared_entered(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct following *f = (struct following *)regs->orig_ax;
	struct shared_data *data = (struct shared_data *)ri->data;

	regs->orig_ax = f->orig_ax;
	f->has_instance = true;
	data->entry = f->entry;
	return f->entry->probe->entry ? begin_following(f->entry, data->saved, regs) : 0;
}
NOKPROBE_SYMBOL(shared_entered);

static noinline void follow_by_shared(const struct entry *e, struct pt_regs *regs)
{
	struct following f = {.entry = e, .orig_ax = regs->orig_ax};

	regs->orig_ax = (unsigned long)&f;
	e->returns->kp.pre_handler(&e->returns->kp, regs);
	regs->orig_ax = f.orig_ax;
	if (unlikely(!f.has_instance))
		stap_session_missed(e->probe, STAP_SKIP_ACTIVE, 1);
}
NOKPROBE_SYMBOL(follow_by_shared);

// A breakpoint's handler runs without preemption and so does the kernel's function rely on it: an instance is given
// back by RCU. What ftrace calls runs as the function does.
//
// When a followed call returns, the kernel forgets which kprobe is running on the processor. So no call is followed
// that a kprobe's handler makes (another script's, or a tracer's), since the kernel looks for that kprobe again when it
// has stepped over the probed instruction. A breakpoint in the kernel is an NMI to it since 5.8.
void return_follow(const struct entry *e, struct pt_regs *regs)
{
	if (unlikely(in_nmi())) {
		stap_session_missed(e->probe, STAP_SKIP_MISSED, 1);
		return;
	}
	preempt_disable_notrace();
	if (likely(follower_of(e->returns)->entry))
		e->returns->kp.pre_handler(&e->returns->kp, regs);
	else
		follow_by_shared(e, regs);
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(return_follow);

// The kernel shows its trampoline's address; scripts see where the function returns to.
static int function_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = compat_kretprobe(ri);
	struct stap_event event = {.regs = as_stap_regs(regs), .saved = (stap_long *)ri->data};
	unsigned long ip = regs->ip;
	const struct entry *e;

	if (!rp)
		return 0; // unregistered meanwhile
	e = follower_of(rp)->entry;
	if (!e) {
		e = ((struct shared_data *)ri->data)->entry;
		event.saved = ((struct shared_data *)ri->data)->saved;
	}
	event.data = (void *)e->address;
	regs->ip = compat_kretprobe_return_address(ri);
	stap_hit(e->probe, &event);
	regs->ip = ip;
	return 0;
}
NOKPROBE_SYMBOL(function_returned);

// --- pools ---------------------------------------------------------------------------------------------------------

static void follower_init(struct follower *f, const struct stap_probe *p, const struct entry *e)
{
	struct kretprobe *rp = &f->kretprobe;

	f->entry = e;
	rp->handler = function_returned;
	rp->entry_handler = p->entry ? own_entered : NULL;
	rp->data_size = p->saved_longs * sizeof(stap_long);
	rp->maxactive = p->attach.function_return.max_active ?: max(64u, 8 * num_possible_cpus());
}

// Adds a probe to those whose calls go by the pool.
static void pool_use(struct pool *pool, const struct stap_probe *p, const struct entry *e)
{
	struct kretprobe *rp = &pool->follower.kretprobe;
	size_t data_size = rp->data_size;
	int maxactive = rp->maxactive;

	follower_init(&pool->follower, p, e);
	if (!pool->users++)
		return;
	pool->follower.entry = NULL;
	rp->entry_handler = shared_entered;
	rp->data_size = max(rp->data_size, data_size);
	rp->maxactive = min(maxactive + rp->maxactive, max(SHARED_POOL_LIMIT, maxactive));
}

// It is never armed, so any function that has an entry will do.
static void pool_register(struct pool *pool)
{
	struct kretprobe *rp = &pool->follower.kretprobe;

	if (!pool->users)
		return;
	if (!pool->follower.entry)
		rp->data_size += sizeof(struct shared_data);
	rp->kp.addr = (kprobe_opcode_t *)mktime64;
	rp->kp.flags = KPROBE_FLAG_DISABLED;
	pool->registered = !register_kretprobe(rp);
}

struct kretprobe *return_measured(const struct entry *e)
{
	if (!pools || !cost_wanted())
		return NULL;
	pool_use(&pools[0], &cost_no_probe, e);
	pool_register(&pools[0]);
	return pools[0].registered ? &pools[0].follower.kretprobe : NULL;
}

static bool has_limit(const struct stap_probe *p)
{
	return p->attach.function_return.max_active != 0;
}

// Gives each probe its pool: one of its own where the script limits the calls.
static void pools_make(struct stap_probe *const *probes, u32 count)
{
	u32 i, shared = 0, own = 1 + SHARED_POOLS;

	pool_count = own;
	for (i = 0; i < count; i++)
		pool_count += has_limit(probes[i]);
	pools = COMPAT_FOLLOWING_TAKES_LOCKS ? NULL : kvcalloc(pool_count, sizeof(*pools), GFP_KERNEL);
	for (i = 0; i < count && pools; i++) {
		struct pool *pool = &pools[has_limit(probes[i]) ? own++ : 1 + shared++ % SHARED_POOLS];
		struct kretprobe_state *s = probes[i]->state;

		pool_use(pool, probes[i], &s->entry);
		s->entry.returns = &pool->follower.kretprobe;
	}
	for (i = 0; i < pool_count && pools; i++)
		pool_register(&pools[i]);
}

// --- attaching -----------------------------------------------------------------------------------------------------

static int kretprobe_register(struct kretprobe_state *s, const struct stap_probe *p)
{
	int rc = register_kretprobe(&s->own.kretprobe);

	if (!rc)
		s->probe = p;
	return rc;
}

// Its stack is another one when it returns. The kernel does not let kretprobes be on it.
static bool switches_stack(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol_no_offset(name, address);
	return !strcmp(name, "__switch_to");
}

static int kretprobe_look(struct kretprobe_state *s, const struct stap_probe *p)
{
	struct kretprobe *rp = &s->own.kretprobe;
	int rc = kprobe_set_place(&rp->kp, &p->attach.function_return.place);

	s->entry.probe = p;
	follower_init(&s->own, p, &s->entry);
	if (!rc && rp->kp.symbol_name) {
		rp->kp.flags = KPROBE_FLAG_DISABLED;
		rc = kretprobe_register(s, p);
	}
	if (rc)
		return rc;
	s->entry.address = (unsigned long)rp->kp.addr;
	if (s->entry.returns && container_of(s->entry.returns, struct pool, follower.kretprobe)->registered &&
	    !switches_stack(s->entry.address))
		entries_add(&s->entry, p, s->entry.address);
	return 0;
}

static void kretprobe_find(struct stap_probe *p)
{
	struct kretprobe_state *s = p->state;

	s->problem = kretprobe_look(s, p);
}

static void kretprobe_prepare(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	modules_lock();
	modules_open();
	pools_make(probes, count);
	for (i = 0; i < count; i++) {
		struct kretprobe_state *s = probes[i]->state;

		kretprobe_find(probes[i]);
		entries_expect(s->problem == -EAGAIN);
	}
	modules_unlock();
}

// Those that measure what following a call costs, as in kprobe.c.
static struct kretprobe_state measuring_returns[KPROBE_WAYS];
static u32 return_cycles[KPROBE_WAYS];

static void kretprobe_measure(enum kprobe_way way)
{
	struct kretprobe_state *s = &measuring_returns[way];
	u32 without;

	if (s->probe || !cost_wanted())
		return;
	*s = (struct kretprobe_state){.entry = {.probe = &cost_no_probe}};
	follower_init(&s->own, &cost_no_probe, &s->entry);
	cost_set_place(&s->own.kretprobe.kp, way);
	without = cost_of_call(cost_function[way]);
	if (!kretprobe_register(s, &cost_no_probe))
		return_cycles[way] = max(cost_of_call(cost_function[way]), without) - without;
}

static void kretprobe_put_disarmed(struct stap_probe *p)
{
	struct kretprobe_state *s = p->state;

	if (s->problem || s->probe || entry_is_served(&s->entry))
		return;
	s->own.kretprobe.kp.flags = KPROBE_FLAG_DISABLED;
	s->problem = kretprobe_register(s, p);
}

// As the kprobes, and for their reason.
static void kretprobe_register_disarmed(struct stap_probe *p)
{
	modules_lock();
	kretprobe_put_disarmed(p);
	modules_unlock();
}

static int kretprobe_put(struct stap_probe *p)
{
	struct kretprobe_state *s = p->state;
	int rc;

	kretprobe_put_disarmed(p);
	rc = s->problem;
	if (rc || entry_is_served(&s->entry))
		return rc == -EAGAIN ? 0 : rc;
	rc = ftrace_hold();
	if (!rc && !s->entry.disarmed)
		rc = enable_kretprobe(&s->own.kretprobe);
	if (!rc && kprobe_way(&s->own.kretprobe.kp) == BY_BREAKPOINT)
		kretprobe_measure(BY_BREAKPOINT);
	if (!rc)
		kretprobe_measure(BY_CALL);
	return rc;
}

static int kretprobe_attach(struct stap_probe *p)
{
	int rc;

	modules_lock();
	rc = kretprobe_put(p);
	modules_unlock();
	return rc;
}

static bool kretprobe_waits(const struct kretprobe_state *s)
{
	return s->problem == -EAGAIN;
}

// Half of it each, where the entry and the return are hits of their own.
static u32 kretprobe_cost(const struct stap_probe *p)
{
	const struct kretprobe_state *s = p->state;
	u32 whole = kretprobe_waits(s)           ? 0
		    : entry_is_served(&s->entry) ? entry_cost(&s->entry)
						 : return_cycles[kprobe_way(&s->own.kretprobe.kp)];

	return p->entry ? whole / 2 : whole;
}

static int kretprobe_arm(struct stap_probe *const *probes, u32 count, int on)
{
	int rc = 0;
	u32 i;

	modules_lock();
	for (i = 0; i < count; i++) {
		struct kretprobe_state *s = probes[i]->state;

		s->entry.disarmed = !on;
		if (s->probe && !entry_is_served(&s->entry))
			rc = kprobe_rearm(&s->own.kretprobe.kp, on) ?: rc;
	}
	rc = entries_rearm() ?: rc;
	modules_unlock();
	return rc;
}

static const char *kretprobe_way_text(const struct stap_probe *p)
{
	const struct kretprobe_state *s = p->state;

	return kretprobe_waits(s)                            ? "nothing (no such module)"
	       : entry_is_served(&s->entry)                  ? "ftrace (return)"
	       : kprobe_is_jump(&s->own.kretprobe.kp)        ? "kretprobe (jump)"
	       : kprobe_way(&s->own.kretprobe.kp) == BY_CALL ? "kretprobe (ftrace)"
							     : "kretprobe (breakpoint)";
}

// Those of `count` probes, those that measure, the pools.
static struct kretprobe *registered_kretprobe(struct stap_probe *const *probes, u32 count, u32 i)
{
	struct kretprobe_state *s;
	struct pool *pool;

	if (i >= count + KPROBE_WAYS) {
		pool = &pools[i - count - KPROBE_WAYS];
		return pool->registered ? &pool->follower.kretprobe : NULL;
	}
	s = i < count ? probes[i]->state : &measuring_returns[i - count];
	return s->probe ? &s->own.kretprobe : NULL;
}

static void kretprobe_count_missed(struct stap_probe *p)
{
	struct kretprobe_state *s = p->state;
	const struct kretprobe *own = &s->own.kretprobe, *pool = s->entry.returns;
	unsigned long missed = READ_ONCE(own->kp.nmissed);
	int inactive = READ_ONCE(own->nmissed);

	if (pools && pool && follower_of(pool)->entry) { // a shared one counts for each probe itself
		stap_session_missed(p, STAP_SKIP_ACTIVE, (u32)(READ_ONCE(pool->nmissed) - s->pool_inactive));
		s->pool_inactive = READ_ONCE(pool->nmissed);
	}
	stap_session_missed(p, STAP_SKIP_MISSED, missed - s->missed);
	stap_session_missed(p, STAP_SKIP_ACTIVE, (u32)(inactive - s->inactive));
	s->missed = missed;
	s->inactive = inactive;
}

// The first `all` of them.
static void kretprobes_unregister(struct stap_probe *const *probes, u32 count, u32 all)
{
	struct kretprobe **list = kvcalloc(all, sizeof(*list), GFP_KERNEL);
	u32 i, n = 0;

	for (i = 0; i < all; i++) {
		struct kretprobe *rp = registered_kretprobe(probes, count, i);

		if (rp)
			kprobe_disarm(&rp->kp);
		if (rp && list)
			list[n++] = rp;
		else if (rp)
			unregister_kretprobe(rp);
	}
	if (n)
		unregister_kretprobes(list, n); // one wait for all
	kvfree(list);
}

static void kretprobe_lift(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct kretprobe *rp = registered_kretprobe(probes, count, i);

		if (rp)
			kprobe_disarm_now(&rp->kp);
	}
	kretprobes_unregister(probes, count, count);
	for (i = 0; i < count; i++) {
		struct kretprobe_state *s = probes[i]->state;

		kretprobe_count_missed(probes[i]);
		s->own = (struct follower){};
		s->probe = NULL;
		s->missed = 0;
		s->inactive = 0;
		s->entry.address = 0;
		s->problem = -EAGAIN;
	}
}

static void kretprobe_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	modules_lock();
	modules_close();
	entries_detach();
	kretprobes_unregister(probes, count, count + KPROBE_WAYS + (pools ? pool_count : 0));
	for (i = 0; i < count; i++)
		kretprobe_count_missed(probes[i]); // the last time that the pools are there
	kvfree(pools);
	pools = NULL;
	pool_count = 0;
	modules_unlock();
}

static struct entry *kretprobe_entry(const struct stap_probe *p)
{
	return &((struct kretprobe_state *)p->state)->entry;
}

const struct code_mechanism kretprobe_code = {
	.kind = STAP_ATTACH_RETURN,
	.find = kretprobe_find,
	.put = kretprobe_put,
	.entry = kretprobe_entry,
	.lift = kretprobe_lift,
};

static const struct stap_code_place *kretprobe_place(const struct stap_attach *a)
{
	return &a->function_return.place;
}

const struct stap_mechanism kretprobe_mechanism = {
	.kind = STAP_ATTACH_RETURN,
	.state_size = sizeof(struct kretprobe_state),
	.prepare = kretprobe_prepare,
	.register_disarmed = kretprobe_register_disarmed,
	.attach = kretprobe_attach,
	.started = modules_tell_waiting,
	.detach = kretprobe_detach,
	.count_missed = kretprobe_count_missed,
	.cost = kretprobe_cost,
	.arm = kretprobe_arm,
	.way = kretprobe_way_text,
	.place = kretprobe_place,
};
