// SPDX-License-Identifier: GPL-2.0-or-later
// Tracepoints: STAP_ATTACH_TRACEPOINT. Handlers see the arguments where a function of that prototype has them at its
// entry.
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "../compat.h"
#include "../kernel.h"

// Every tracepoint calls its handlers as void (*)(void *data, ...its arguments): the System V convention puts each into
// the same register as here, whatever its type, and the rest above the return address. How many those are only the
// script knows, which names them one by one. None is read here: a tracepoint may be called from the first frame of an
// interrupt stack, and what is above that is not mapped.
static notrace void tracepoint_hit(void *data, unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
				   unsigned long a5)
{
	struct stap_probe *p = data;
	struct pt_regs regs = {
		.di = (unsigned long)data,
		.si = a1,
		.dx = a2,
		.cx = a3,
		.r8 = a4,
		.r9 = a5,
		.ip = (unsigned long)__builtin_return_address(0),
		// The return address is the last word below the caller's frame.
		.sp = (unsigned long)__builtin_dwarf_cfa() - sizeof(unsigned long),
		.bp = (unsigned long)__builtin_frame_address(0),
		.cs = __KERNEL_CS,
		.ss = __KERNEL_DS,
		.flags = X86_EFLAGS_FIXED,
	};
	struct stap_event event = {.regs = as_stap_regs(&regs)};

	stap_hit(p, &event);
}
NOKPROBE_SYMBOL(tracepoint_hit);

static u32 tracepoint_cycles; // 0: not measured

static noinline void call_nothing(void)
{
	barrier();
}

static void call_as_tracepoint(void)
{
	static void (*volatile const hit)(void *, unsigned long, unsigned long, unsigned long, unsigned long,
					  unsigned long) = tracepoint_hit;

	hit((void *)&cost_no_probe, 0, 0, 0, 0, 0);
}

// The tracepoint's own test whether somebody is attached is not in it: a few cycles.
void tracepoint_measure(void)
{
	u32 without;

	if (tracepoint_cycles || !cost_wanted())
		return;
	without = cost_of_call(call_nothing);
	tracepoint_cycles = max(cost_of_call(call_as_tracepoint), without) - without;
}

u32 tracepoint_cost(const struct stap_probe *p)
{
	return tracepoint_cycles;
}

struct tracepoint_state {
	struct stap_probe *probe;
	struct tracepoint *tracepoint; // NULL: the module is not loaded
	struct notifier_block modules; // of the probe of a module's tracepoint
	int is_on;
};

static bool is_of_module(const struct stap_probe *p)
{
	return p->attach.tracepoint.module[0];
}

static int register_hit(struct tracepoint_state *s, struct tracepoint *tp)
{
	const int rc = tracepoint_probe_register(tp, (void *)tracepoint_hit, s->probe);

	if (!rc)
		s->tracepoint = tp;
	return rc;
}

static void unregister_hit(struct tracepoint_state *s)
{
	if (s->tracepoint)
		tracepoint_probe_unregister(s->tracepoint, (void *)tracepoint_hit, s->probe);
	s->tracepoint = NULL;
}

struct search {
	const char *name;
	struct tracepoint *found;
};

static void compare_name(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

struct tracepoint *tracepoint_find(const char *name)
{
	struct search search = {.name = name};

	for_each_kernel_tracepoint(compare_name, &search);
	return search.found;
}

static int attach_to_kernel(struct tracepoint_state *s)
{
	struct tracepoint *tp = tracepoint_find(s->probe->attach.tracepoint.name);

	return tp ? register_hit(s, tp) : -ENOENT;
}

// Called for every loaded module when it is registered and when it is unregistered, and for those that come and go
// between; the kernel calls it one at a time.
static int module_changed(struct notifier_block *modules, unsigned long change, void *data)
{
	struct tracepoint_state *s = container_of(modules, struct tracepoint_state, modules);
	const struct module *module = ((struct tp_module *)data)->mod;
	unsigned int i;

	if (strcmp(module->name, s->probe->attach.tracepoint.module))
		return NOTIFY_DONE;
	if (change == MODULE_STATE_GOING)
		unregister_hit(s);
	for (i = 0; change == MODULE_STATE_COMING && i < module->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, s->probe->attach.tracepoint.name) && register_hit(s, tp))
			report(&stap_program, STAP_RECORD_WARN,
			       "probe %s can't be attached now that the module is loaded", s->probe->point);
	}
	return NOTIFY_OK;
}

static int switch_on(struct tracepoint_state *s)
{
	return is_of_module(s->probe) ? register_tracepoint_module_notifier(&s->modules) : attach_to_kernel(s);
}

static void switch_off(struct tracepoint_state *s)
{
	if (is_of_module(s->probe))
		unregister_tracepoint_module_notifier(&s->modules);
	else
		unregister_hit(s);
}

static int tracepoint_attach(struct stap_probe *p)
{
	struct tracepoint_state *s = p->state;
	int rc;

	// tracepoint_hit has the prototype of no tracepoint. While it is a tracepoint's only handler the call is
	// direct and not checked, but any other tracer may make it one of several.
	if (COMPAT_PROTOTYPES_ARE_CHECKED) {
		report(&stap_program, STAP_RECORD_WARN,
		       "probe %s: tracepoints can't be attached to on a kernel with control-flow integrity (CONFIG_CFI)",
		       p->point);
		return -EOPNOTSUPP;
	}
	tracepoint_measure();
	s->probe = p;
	s->modules.notifier_call = module_changed;
	rc = switch_on(s);
	s->is_on = !rc;
	return rc;
}

static int tracepoint_arm(struct stap_probe *const *probes, u32 count, int on)
{
	int rc = 0;
	u32 i;

	for (i = 0; i < count && !rc; i++) {
		struct tracepoint_state *s = probes[i]->state;

		if (on == s->is_on)
			continue;
		rc = on ? switch_on(s) : 0;
		if (!on)
			switch_off(s);
		s->is_on = rc ? s->is_on : on;
	}
	return rc;
}

static void tracepoint_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct tracepoint_state *s = probes[i]->state;

		if (s->is_on)
			switch_off(s);
	}
	tracepoint_synchronize_unregister(); // also those of them that run under SRCU
}

static const char *tracepoint_way(const struct stap_probe *p)
{
	return "tracepoint";
}

const struct stap_mechanism tracepoint_mechanism = {
	.kind = STAP_ATTACH_TRACEPOINT,
	.state_size = sizeof(struct tracepoint_state),
	.attach = tracepoint_attach,
	.detach = tracepoint_detach,
	.cost = tracepoint_cost,
	.arm = tracepoint_arm,
	.way = tracepoint_way,
};
