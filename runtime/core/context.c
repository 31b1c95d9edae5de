// SPDX-License-Identifier: GPL-2.0-or-later
// What a context keeps of a run that went wrong: the pending error, the way it took, its report.
#include "core.h"

struct stap_session stap_core;

static u32 append_place(char *out, u32 size, u32 len, const struct stap_place *place)
{
	if (!place->file)
		return len;
	len = stap_append(out, size, len, STAP_STR(" at "));
	len = stap_append(out, size, len, stap_cstr(place->file));
	len = stap_append(out, size, len, STAP_STR(":"));
	len = stap_append_long(out, size, len, place->line);
	len = stap_append(out, size, len, STAP_STR(":"));
	return stap_append_long(out, size, len, place->col);
}

// What stands between the quotes of "identifier 'foo'".
static struct stap_str name_in_word(const char *word)
{
	struct stap_str name = stap_cstr(word ? word : "");

	while (name.len && *name.ptr != '\'')
		name = (struct stap_str){name.ptr + 1, name.len - 1};
	if (name.len > 1)
		name = (struct stap_str){name.ptr + 1, name.len - 2};
	return name;
}

static const struct stap_place *trace_place(u32 number)
{
	static const struct stap_place nowhere;

	return number < stap_core.program->place_count ? &stap_core.program->places[number] : &nowhere;
}

// One line: "  #1 outer at x.stp:5:10: println(inner(x))". A function's name is in the word of its call's place; the
// frame of the probe has none.
static void report_frame(struct stap_ctx *c, u32 number, const struct stap_place *call, u32 at, char *out, u32 size)
{
	const struct stap_place *place = trace_place(at);
	u32 len = stap_append(out, size, 0, STAP_STR("  #"));

	len = stap_append_long(out, size, len, number);
	len = stap_append(out, size, len, call ? STAP_STR(" ") : STAP_STR(" probe "));
	len = stap_append(out, size, len, call ? name_in_word(call->word) : stap_cstr(c->probe->point));
	len = append_place(out, size, len, place);
	if (place->text) {
		len = stap_append(out, size, len, STAP_STR(": "));
		len = stap_append(out, size, len, stap_cstr(place->text));
	}
	stap_emit(c, STAP_RECORD_TRACE, (struct stap_str){out, len});
}

// The statement that failed, the calls around it and the probe, as a debugger shows them. `out` is the caller's buffer:
// the stack may be short.
static void report_trace(struct stap_ctx *c, char *out, u32 size)
{
	u32 count = c->trace_count > 0 ? (u32)c->trace_count : 0;
	u32 kept = count < STAP_TRACE_MAX ? count : STAP_TRACE_MAX, at = c->place;

	for (u32 i = 0; i < kept; i++) {
		if (i + 1 == kept && count > kept) {
			u32 len = stap_append(out, size, 0, STAP_STR("  ... "));

			len = stap_append_long(out, size, len, count - kept);
			len = stap_append(out, size, len, STAP_STR(" more calls"));
			stap_emit(c, STAP_RECORD_TRACE, (struct stap_str){out, len});
		} else {
			report_frame(c, i, trace_place(c->trace[i]), at, out, size);
		}
		at = c->trace[i];
	}
	report_frame(c, count > kept ? count - 1 : count, STAP_NULL, at, out, size);
}

// Writes the pending error's record and counts it; more than MAXERRORS end the script.
void stap_report_error(struct stap_ctx *c)
{
	const struct stap_limits *l = &stap_core.program->limits;
	char text[STAP_ERROR_MAX + 160];
	u32 len, count;

	count = __atomic_add_fetch(&stap_core.error_count, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&stap_core.shm->error_count, 1, __ATOMIC_RELAXED);
	if (l->suppress_handler_errors)
		return;
	len = stap_error_text(c, text, sizeof(text));
	stap_emit(c, STAP_RECORD_ERROR, (struct stap_str){text, len});
	report_trace(c, text, sizeof(text));
	if (count > (u32)(l->max_errors < 0 ? 0 : l->max_errors))
		stap_session_fail();
}

void stap_fail(struct stap_ctx *c, struct stap_str message)
{
	if (c->failed)
		return;
	c->failed = 1;
	c->trace_count = 0;
	c->fault = STAP_FAULT_NONE;
	c->flags &= ~(STAP_CTX_SCRIPT_ERROR | STAP_CTX_UNCATCHABLE);
	c->error_len = stap_utf8_cut(message.ptr, message.len, STAP_ERROR_MAX);
	mem_copy(c->error, message.ptr, c->error_len);
}

void stap_fail_cstr(struct stap_ctx *c, const char *message)
{
	stap_fail(c, stap_cstr(message));
}

void stap_fail_script(struct stap_ctx *c, struct stap_str message)
{
	if (c->failed)
		return;
	stap_fail(c, message);
	c->flags |= STAP_CTX_SCRIPT_ERROR;
}

void stap_abort(struct stap_ctx *c)
{
	stap_exit(c);
	if (!c->failed) {
		c->failed = 1;
		c->error_len = 0;
		c->flags |= STAP_CTX_UNCATCHABLE | STAP_CTX_ABORTED;
	}
}

static void fail_uncatchably(struct stap_ctx *c, const char *message)
{
	if (c->failed)
		return;
	stap_fail_cstr(c, message);
	c->flags |= STAP_CTX_UNCATCHABLE;
}

static void give_way(struct stap_ctx *c)
{
	int killed;

	stap_unshield(c);
	killed = host_give_way();
	stap_shield(c);
	if (killed)
		fail_uncatchably(c, "killed while the handler was running");
}

// A handler that may not wait has spent what it got at first. The time of that part, which is short, is not counted.
static void begin_parts(struct stap_ctx *c)
{
	const struct stap_limits *l = &stap_core.program->limits;

	c->flags |= STAP_CTX_IN_PARTS;
	c->budget_more = l->max_action - stap_core.first_actions;
	c->atomic_end_ns = host_is_atomic() ? host_clock_ns() + l->max_atomic_time_us * 1000ull : ~0ull;
}

// Actions are given out in parts. Between them a handler that may wait lets others have the processor; that of another
// is asked how long it has kept it.
void stap_fail_budget(struct stap_ctx *c);
void stap_fail_budget(struct stap_ctx *c)
{
	const int may_wait = stap_is_session(c);
	s32 part;

	if (!may_wait && !(c->flags & STAP_CTX_IN_PARTS))
		begin_parts(c);
	while (c->budget < 0 && c->budget_more > 0 && !c->failed) {
		part = -c->budget > STAP_BUDGET_PART ? -c->budget : STAP_BUDGET_PART;
		part = c->budget_more < part ? c->budget_more : part;
		c->budget_more -= part;
		c->budget += part;
		if (may_wait)
			give_way(c);
		else if (c->atomic_end_ns != ~0ull && host_clock_ns() > c->atomic_end_ns)
			fail_uncatchably(c, "MAXATOMICTIME exceeded");
	}
	if (c->budget >= 0)
		return;
	c->budget = 0;
	fail_uncatchably(c, "MAXACTION exceeded");
}

int stap_spend_steps(struct stap_ctx *c, u64 steps)
{
	u64 actions = steps / STAP_STEPS_PER_ACTION;

	if (stap_is_session(c))
		give_way(c);
	else
		stap_actions(c, actions < STAP_ACTIONS_MAX ? (s32)actions : STAP_ACTIONS_MAX);
	return c->failed != 0;
}

u32 stap_error_text(const struct stap_ctx *c, char *out, u32 size)
{
	const struct stap_program *p = stap_core.program;
	const struct stap_place *place;
	u32 len = stap_append(out, size, 0, (struct stap_str){c->error, c->error_len});

	if ((c->flags & STAP_CTX_SCRIPT_ERROR) || c->place >= p->place_count)
		return len;
	place = &p->places[c->place];
	if (place->word && place->word[0]) {
		len = stap_append(out, size, len, STAP_STR(" near "));
		len = stap_append(out, size, len, stap_cstr(place->word));
	}
	return append_place(out, size, len, place);
}

void stap_unwind(struct stap_ctx *c, u32 place)
{
	if (c->trace_count >= 0)
		c->trace[c->trace_count < STAP_TRACE_MAX ? c->trace_count : STAP_TRACE_MAX - 1] = place;
	c->trace_count++;
}

struct stap_str stap_catch(struct stap_ctx *c)
{
	if (!c->failed || (c->flags & STAP_CTX_UNCATCHABLE))
		return STAP_STR("");
	c->failed = 0;
	c->flags &= ~STAP_CTX_SCRIPT_ERROR;
	return stap_str_copy(c, (struct stap_str){c->error, c->error_len});
}

int stap_call_enter(struct stap_ctx *c)
{
	if (STAP_UNLIKELY(c->nesting <= 0)) {
		stap_fail_cstr(c, "MAXNESTING exceeded");
		c->trace_count = -1;
		return -1;
	}
	if (STAP_UNLIKELY((u64)((char *)__builtin_frame_address(0) - c->stack_low) < c->stack_reserve)) {
		stap_fail_cstr(c, "kernel stack nearly exhausted, check MINSTACKSPACE");
		c->trace_count = -1;
		return -1;
	}
	c->nesting--;
	return 0;
}
