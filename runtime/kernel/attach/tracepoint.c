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
static void tracepoint_measure(void)
{
	u32 without;

	if (tracepoint_cycles || !cost_wanted())
		return;
	without = cost_of_call(call_nothing);
	tracepoint_cycles = max(cost_of_call(call_as_tracepoint), without) - without;
}

static u32 tracepoint_cost(const struct stap_probe *p)
{
	return tracepoint_cycles;
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

struct tracepoint_state {
	struct tracepoint *tracepoint;
};

static int tracepoint_attach(struct stap_probe *p)
{
	struct tracepoint_state *s = p->state;
	struct search search = {.name = p->attach.tracepoint.name};

	// tracepoint_hit has the prototype of no tracepoint. While it is a tracepoint's only handler the call is
	// direct and not checked, but any other tracer may make it one of several.
	if (COMPAT_PROTOTYPES_ARE_CHECKED) {
		report(&stap_program, STAP_RECORD_WARN,
		       "probe %s: tracepoints can't be attached to on a kernel with control-flow integrity (CONFIG_CFI)",
		       p->point);
		return -EOPNOTSUPP;
	}
	for_each_kernel_tracepoint(compare_name, &search);
	if (!search.found)
		return -ENOENT;
	s->tracepoint = search.found;
	tracepoint_measure();
	return tracepoint_probe_register(search.found, (void *)tracepoint_hit, p);
}

static void tracepoint_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct tracepoint_state *s = probes[i]->state;

		tracepoint_probe_unregister(s->tracepoint, (void *)tracepoint_hit, probes[i]);
	}
	tracepoint_synchronize_unregister(); // also those of them that run under SRCU
}

const struct stap_mechanism tracepoint_mechanism = {
	.kind = STAP_ATTACH_TRACEPOINT,
	.state_size = sizeof(struct tracepoint_state),
	.attach = tracepoint_attach,
	.detach = tracepoint_detach,
	.cost = tracepoint_cost,
};
