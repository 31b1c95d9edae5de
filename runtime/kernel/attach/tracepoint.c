// SPDX-License-Identifier: GPL-2.0-or-later
// Tracepoints: STAP_ATTACH_TRACEPOINT. Handlers see the arguments where a function of that prototype has them at its
// entry.
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "../compat.h"
#include "../kernel.h"
#include "../records.h"

struct tracepoint_state {
	struct stap_probe *probe;
	struct tracepoint *tracepoint; // NULL: the module is not loaded
	struct notifier_block modules; // of the probe of a module's tracepoint
	struct record_maker maker;     // where the handler wants the event's record
	int is_on;
	int has_records; // records_get() was called
};

// Every tracepoint calls its handlers as void (*)(void *data, ...its arguments): the System V convention puts each into
// the same register as here, whatever its type, and the rest above the return address. How many those are only the
// script knows, which names them one by one. None is read here: a tracepoint may be called from the first frame of an
// interrupt stack, and what is above that is not mapped.
static __always_inline struct pt_regs registers_of_call(void *data, unsigned long a1, unsigned long a2,
							unsigned long a3, unsigned long a4, unsigned long a5)
{
	return (struct pt_regs){
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
}

static notrace void tracepoint_hit(void *data, unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
				   unsigned long a5)
{
	struct pt_regs regs = registers_of_call(data, a1, a2, a3, a4, a5);
	struct stap_event event = {.regs = as_stap_regs(&regs)};

	stap_hit(data, &event);
}
NOKPROBE_SYMBOL(tracepoint_hit);

// The same where the handler reads the event's record.
static notrace void tracepoint_hit_recorded(void *data, unsigned long a1, unsigned long a2, unsigned long a3,
					    unsigned long a4, unsigned long a5)
{
	struct stap_probe *p = data;
	struct tracepoint_state *s = p->state;
	struct pt_regs regs = registers_of_call(data, a1, a2, a3, a4, a5);

	record_hit(&s->maker, p, as_stap_regs(&regs));
}
NOKPROBE_SYMBOL(tracepoint_hit_recorded);

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

static bool is_of_module(const struct stap_probe *p)
{
	return p->attach.tracepoint.module[0];
}

static void *handler_of(const struct tracepoint_state *s)
{
	return s->probe->attach.tracepoint.record ? (void *)tracepoint_hit_recorded : (void *)tracepoint_hit;
}

static int register_hit(struct tracepoint_state *s, struct tracepoint *tp)
{
	const struct stap_attach_tracepoint *wanted = &s->probe->attach.tracepoint;
	int rc = 0;

	if (wanted->record)
		rc = record_maker_init(&s->maker, tp, wanted->group, wanted->name, wanted->arguments);
	if (!rc)
		rc = tracepoint_probe_register(tp, handler_of(s), s->probe);
	if (!rc)
		s->tracepoint = tp;
	return rc;
}

static void unregister_hit(struct tracepoint_state *s)
{
	if (s->tracepoint)
		tracepoint_probe_unregister(s->tracepoint, handler_of(s), s->probe);
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
			report_later(STAP_RECORD_WARN, "probe %s can't be attached now that the module is loaded",
				     s->probe->point);
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
	if (p->attach.tracepoint.record) {
		rc = records_get();
		if (rc)
			return rc;
		s->has_records = 1;
	}
	rc = switch_on(s);
	s->is_on = !rc;
	if (rc && s->has_records)
		records_put(); // what has failed is not detached
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
	for (i = 0; i < count; i++) {
		struct tracepoint_state *s = probes[i]->state;

		if (s->has_records)
			records_put();
	}
}

static const char *tracepoint_way(const struct stap_probe *p)
{
	return p->attach.tracepoint.record ? "tracepoint, with the event's record" : "tracepoint";
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
