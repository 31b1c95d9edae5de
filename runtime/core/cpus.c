// SPDX-License-Identifier: GPL-2.0-or-later
// What a CPU needs to run handlers: two contexts, a ring, a table of skipped hits.
//
// There can be many more CPUs than are there. A CPU that is online gets its memory when the script is loaded, another
// one when it comes, before anything can be hit on it; and it keeps its memory when it goes, because its ring has to be
// read. A CPU that has none, because there was not enough, is one whose contexts are busy for ever: so a hit needs no
// further test, and is skipped and counted.
#include "core.h"

#define MAX_STACK_SIZE (1u << 20)

// How much memory a context needs for the last match of a regular expression: the places of its subexpressions, and
// behind them a copy of the text that matched.
static u64 match_bytes(const struct stap_program *p)
{
	return 2ull * p->match_groups * sizeof(u32) + p->limits.max_string_len + 8;
}

static int context_init(struct stap_ctx *c, u32 slot)
{
	const struct stap_program *p = stap_core.program;
	u32 stack_size = slot < stap_core.cpu_count ? stap_core.stack_size : 0;
	char *stack;

	c->slot = slot;
	c->home = &stap_core.cpus[slot];
	c->session = &stap_core;
	c->stack_reserve =
		p->limits.min_stack_space > STAP_STACK_RESERVE ? p->limits.min_stack_space : STAP_STACK_RESERVE;
	c->arena_size = p->limits.arena_size;
	c->arena = host_alloc(p->limits.arena_size + 8);
	c->times = host_alloc((u64)p->probe_count * sizeof(*c->times) + 8);
	if (!c->arena || !c->times)
		return -STAP_ENOMEM;
	if (stack_size) {
		stack = host_alloc(stack_size);
		if (!stack)
			return -STAP_ENOMEM;
		c->stack_low = stack;
		c->stack_top = stack + stack_size;
	}
	if (!p->match_groups)
		return 0;
	c->match_groups = host_alloc(match_bytes(p));
	if (!c->match_groups)
		return -STAP_ENOMEM;
	c->match_text = (char *)(c->match_groups + 2ull * p->match_groups);
	return 0;
}

static void context_free(struct stap_ctx *c)
{
	const struct stap_program *p = stap_core.program;

	if (c->arena)
		host_free(c->arena, (u64)c->arena_size + 8);
	if (c->match_groups)
		host_free(c->match_groups, match_bytes(p));
	if (c->times)
		host_free(c->times, (u64)p->probe_count * sizeof(*c->times) + 8);
	if (c->stack_top)
		host_free(c->stack_low, (u64)(c->stack_top - c->stack_low));
	c->arena = c->match_text = c->stack_low = c->stack_top = STAP_NULL;
	c->match_groups = STAP_NULL;
	c->times = STAP_NULL;
}

static void cpu_free(u32 slot)
{
	context_free(&stap_core.cpus[slot].ctx);
	context_free(&stap_core.cpus[slot].nmi);
	stap_shm_remove_cpu(slot);
}

int stap_session_add_cpu(u32 slot)
{
	struct stap_cpu *cpu = &stap_core.cpus[slot];
	int rc;

	if (slot > stap_core.cpu_count)
		return -STAP_EINVAL;
	if (stap_load(&cpu->ready))
		return 0;
	rc = context_init(&cpu->ctx, slot);
	if (!rc && slot < stap_core.cpu_count && stap_core.stack_size)
		rc = context_init(&cpu->nmi, slot);
	if (!rc)
		rc = stap_shm_add_cpu(slot);
	if (rc) {
		cpu_free(slot);
		return rc;
	}
	stap_store(&cpu->ready, 1);
	if (cpu->nmi.arena)
		stap_store(&cpu->nmi.busy, 0);
	stap_store(&cpu->ctx.busy, 0);
	return 0;
}

// Room for MAXNESTING calls of small functions, and for what MINSTACKSPACE asks for, comes on top of what the host
// gives.
static u32 stack_bytes(const struct stap_program *p)
{
	u64 size = host_stack_size();

	if (!size)
		return 0;
	size += (u64)(p->limits.max_nesting > 0 ? p->limits.max_nesting : 0) * STAP_FRAME_TYPICAL;
	if (p->limits.min_stack_space > STAP_STACK_RESERVE)
		size += p->limits.min_stack_space;
	return size < MAX_STACK_SIZE ? (u32)(size + 4095) & ~4095u : MAX_STACK_SIZE;
}

int stap_cpus_init(const struct stap_program *p)
{
	stap_core.cpu_count = host_cpu_count();
	stap_core.stack_size = stack_bytes(p);
	stap_core.cpus = host_alloc(((u64)stap_core.cpu_count + 1) * sizeof(struct stap_cpu));
	if (!stap_core.cpus)
		return -STAP_ENOMEM;
	for (u32 i = 0; i <= stap_core.cpu_count; i++)
		stap_core.cpus[i].ctx.busy = stap_core.cpus[i].nmi.busy = 1;
	return 0;
}

int stap_cpus_start(void)
{
	int rc = stap_session_add_cpu(stap_core.cpu_count);

	return rc ? rc : host_cpus_watch();
}

void stap_cpus_free(void)
{
	if (!stap_core.cpus)
		return;
	host_cpus_unwatch();
	for (u32 i = 0; i <= stap_core.cpu_count; i++)
		cpu_free(i);
	host_free(stap_core.cpus, ((u64)stap_core.cpu_count + 1) * sizeof(struct stap_cpu));
	stap_core.cpus = STAP_NULL;
}
