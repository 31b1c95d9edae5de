// SPDX-License-Identifier: GPL-2.0-or-later
// Names for addresses, and kernel stacks, from what the kernel knows of itself (kallsyms, ORC). Any context.
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/stacktrace.h>
#include <asm/unwind.h>
#include "compat.h"
#include "kernel.h"

#define HIT_FRAMES 2 // what put_hit_before() may put before those that were saved

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

// The return addresses on the stack of whoever was hit, the mechanism's own first.
static u32 save_stack(const struct stap_ctx *c, unsigned long *frames, u32 max)
{
	struct pt_regs regs = {.cs = __KERNEL_CS};
	struct unwind_state state;
	u32 count = 0;

	if (!stack_of_hit(c, &regs))
		return stack_trace_save(frames, max, 0);
	for (unwind_start(&state, current, &regs, NULL); !unwind_done(&state) && count < max;
	     unwind_next_frame(&state)) {
		frames[count] = unwind_get_return_address(&state);
		if (!frames[count])
			break;
		count++;
	}
	return count;
}

// A saved stack begins with the runtime's own frames and the probe mechanism's: the index of
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
		else if (!ip && ours)
			break; // what an interrupt came upon may be the runtime too
	}
	return ours;
}

// A tracepoint with several handlers calls them from a function of its own, __traceiter_NAME.
static bool in_tracepoint_iterator(struct stap_ctx *c, u64 address)
{
	static const char prefix[] = "__traceiter_";
	struct stap_str name = stap_symbol_name(c, (stap_long)address);

	return name.len >= sizeof(prefix) - 1 && !memcmp(name.ptr, prefix, sizeof(prefix) - 1);
}

// A function probe knows its function. Elsewhere it is the one that was interrupted, or that has the tracepoint.
struct stap_str stap_probe_function(struct stap_ctx *c)
{
	const struct stap_regs *regs = c->event->regs;
	unsigned long frames[16]; // the handler's and the mechanism's own come first
	u32 count, first;

	if (c->probe->function)
		return stap_cstr(c->probe->function);
	if (!regs || stap_user_mode(c))
		return (struct stap_str){"", 0};
	if (c->probe->attach.kind == STAP_ATTACH_TRACEPOINT && in_tracepoint_iterator(c, regs->ip)) {
		count = save_stack(c, frames, ARRAY_SIZE(frames));
		first = first_frame(frames, count, regs->ip);
		if (first < count)
			return stap_symbol_name(c, (stap_long)frames[first]);
	}
	return stap_symbol_name(c, (stap_long)regs->ip);
}

// Does the hit have a function that has returned? Not where its entry is hit to be followed.
static bool has_returned(struct stap_ctx *c)
{
	return c->probe->attach.kind == STAP_ATTACH_RETURN && c->event->data;
}

// Where the kernel's unwinder follows frame pointers, it passes over the caller of a function that is hit at its entry,
// before it has made its own frame: returns where that caller goes on. 0: it was not passed over.
static unsigned long passed_over(struct stap_ctx *c)
{
	const struct stap_regs *regs = c->event->regs;
	unsigned long caller;
	const u32 kind = c->probe->attach.kind;
	const char *place;

	if (!IS_ENABLED(CONFIG_UNWINDER_FRAME_POINTER) ||
	    (kind != STAP_ATTACH_FUNCTION && kind != STAP_ATTACH_RETURN) || has_returned(c))
		return 0;
	place = stap_symbol_data(c, (stap_long)regs->ip).ptr;
	if (!strstr(place, "+0x0/") && !strstr(place, "+0x4/")) // behind an endbr
		return 0;
	return host_read_kernel(&caller, regs->sp, sizeof(caller)) ? 0 : compat_return_address(regs->sp, caller);
}

// Puts before `frames` the addresses that the unwinder did not find; returns where the stack begins now. That is the
// caller that it passed over; the hit's instruction pointer; and, where a function returned to that, the function, so
// that its caller is the second of the stack in a return probe as it is at the entry.
static unsigned long *put_hit_before(struct stap_ctx *c, unsigned long *frames)
{
	u32 kind = c->probe->attach.kind;
	unsigned long caller;

	if (!c->event->regs)
		return frames;
	caller = passed_over(c);
	if (caller)
		*--frames = caller;
	if (kind != STAP_ATTACH_TRACEPOINT || !in_tracepoint_iterator(c, c->event->regs->ip))
		*--frames = c->event->regs->ip;
	if (has_returned(c))
		*--frames = (unsigned long)c->event->data;
	return frames;
}

const u64 *host_backtrace(struct stap_ctx *c, u32 max, u32 *count)
{
	const u64 ip = c->event->regs ? c->event->regs->ip : 0;
	unsigned long *frames, *saved, *end;
	char *room;

	BUILD_BUG_ON(sizeof(*frames) != sizeof(u64));
	*count = 0;
	if (stap_user_mode(c))
		return NULL; // all that the kernel's stack holds is the interrupt
	room = stap_temp_alloc(c, (STAP_MAX_BACKTRACE + HIT_FRAMES + 1) * sizeof(long));
	if (!room)
		return NULL;
	saved = PTR_ALIGN((unsigned long *)room, sizeof(long)) + HIT_FRAMES;
	end = saved + save_stack(c, saved, STAP_MAX_BACKTRACE);
	frames = put_hit_before(c, saved + first_frame(saved, end - saved, ip));
	*count = min_t(u32, max, end - frames);
	return (const u64 *)frames;
}
