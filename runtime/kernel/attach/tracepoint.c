// SPDX-License-Identifier: GPL-2.0-or-later
// Tracepoints: STAP_ATTACH_TRACEPOINT. Handlers see the arguments where a function of that prototype has them at its
// entry.
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "../kernel.h"

// Arguments beyond those in registers. A tracepoint with fewer has other words of its caller's frame there, which
// nobody reads.
#define STACK_ARGUMENTS 8

struct stack_frame {
	unsigned long return_address;
	unsigned long arguments[STACK_ARGUMENTS];
};

// Every tracepoint calls its handlers as void (*)(void *data, ...its arguments): the System V convention puts each into
// the same register or stack slot as here, whatever its type.
static notrace void tracepoint_hit(void *data, unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
				   unsigned long a5, unsigned long a6, unsigned long a7, unsigned long a8,
				   unsigned long a9, unsigned long a10, unsigned long a11, unsigned long a12,
				   unsigned long a13)
{
	struct stap_probe *p = data;
	struct stack_frame frame = {(unsigned long)__builtin_return_address(0), {a6, a7, a8, a9, a10, a11, a12, a13}};
	struct pt_regs regs = {
		.di = (unsigned long)data,
		.si = a1,
		.dx = a2,
		.cx = a3,
		.r8 = a4,
		.r9 = a5,
		.ip = frame.return_address,
		.sp = (unsigned long)&frame,
		.bp = (unsigned long)__builtin_frame_address(0),
		.cs = __KERNEL_CS,
		.ss = __KERNEL_DS,
		.flags = X86_EFLAGS_FIXED,
	};
	struct stap_event event = {.regs = as_stap_regs(&regs)};

	stap_hit(p, &event);
}
NOKPROBE_SYMBOL(tracepoint_hit);

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

	for_each_kernel_tracepoint(compare_name, &search);
	if (!search.found)
		return -ENOENT;
	s->tracepoint = search.found;
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
};
