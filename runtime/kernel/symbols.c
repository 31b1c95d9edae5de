// SPDX-License-Identifier: GPL-2.0-or-later
// Names for addresses, and kernel stacks, from what the kernel knows of itself (kallsyms, ORC). Any context.
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/stacktrace.h>
#include "kernel.h"

#define MAX_FRAMES 128

// "vfs_read", or "0x..." for what has no name.
struct stap_str stap_symbol_name(struct stap_ctx *c, stap_long address)
{
	char *buffer = stap_temp_alloc(c, KSYM_SYMBOL_LEN);

	if (!buffer)
		return (struct stap_str){"", 0};
	sprint_symbol_no_offset(buffer, (unsigned long)address);
	return (struct stap_str){buffer, strcspn(buffer, " ")}; // " [module]" is not part of the name
}

// "vfs_read+0x0/0x1b0", "veth_xmit+0x12/0x340 [veth]"
struct stap_str stap_symbol_data(struct stap_ctx *c, stap_long address)
{
	char *buffer = stap_temp_alloc(c, KSYM_SYMBOL_LEN);

	if (!buffer)
		return (struct stap_str){"", 0};
	return (struct stap_str){buffer, sprint_symbol(buffer, (unsigned long)address)};
}

// A function probe knows its function; elsewhere it is the one that was interrupted.
struct stap_str stap_probe_function(struct stap_ctx *c)
{
	const struct stap_attach *a = &c->probe->attach;

	if ((a->kind == STAP_ATTACH_FUNCTION || a->kind == STAP_ATTACH_RETURN) && a->symbol)
		return stap_cstr(a->symbol);
	if (!c->regs || user_mode((struct pt_regs *)c->regs))
		return (struct stap_str){"", 0};
	return stap_symbol_name(c, (stap_long)c->regs->ip);
}

// The saved stack begins with the runtime's own frames and the probe mechanism's: the index of
// the first that belongs to the hit, given its instruction pointer (0: no registers).
static u32 first_frame(const unsigned long *frames, u32 count, u64 ip)
{
	u32 i, ours = 0;

	for (i = 0; i < count; i++) {
		// A hit at a function's entry shows as the address after the call or breakpoint there.
		if (ip && frames[i] >= ip && frames[i] <= ip + 16)
			return i + 1;
		if (within_module(frames[i], THIS_MODULE))
			ours = i + 1;
	}
	return ours;
}

struct stap_str stap_backtrace(struct stap_ctx *c, u32 max)
{
	u64 ip = c->regs && !user_mode((struct pt_regs *)c->regs) ? c->regs->ip : 0;
	unsigned long *frames;
	u32 size, used = 0, shown = 0, count, i;
	char *raw, *text;

	max = clamp_t(u32, max ?: stap_program.limits.max_backtrace, 1, MAX_FRAMES);
	size = max * 19 + 1; // "0x" 16 digits and a space
	text = stap_temp_alloc(c, size);
	raw = text ? stap_temp_alloc(c, (MAX_FRAMES + 1) * sizeof(long)) : NULL;
	if (!raw)
		return (struct stap_str){"", 0};
	frames = PTR_ALIGN((unsigned long *)raw, sizeof(long));
	count = stack_trace_save(frames, MAX_FRAMES, 0);
	if (ip) {
		used = scnprintf(text, size, "0x%llx", ip);
		shown = 1;
	}
	for (i = first_frame(frames, count, ip); i < count && shown < max; i++, shown++)
		used += scnprintf(text + used, size - used, "%s0x%lx", used ? " " : "", frames[i]);
	return (struct stap_str){text, used};
}
