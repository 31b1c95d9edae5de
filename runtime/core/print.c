// SPDX-License-Identifier: GPL-2.0-or-later
// What a handler writes: text, deferred printf, warnings, commands, exit.
#include "core.h"
#include "format.h"

#define STAP_USER_PAGE 4096 // bytes, of which all can be read or none

// The run's time stamp, taken at its first record. `active` tells the reader that records older than the stamp may
// still come from this CPU: 1 is published before the clock is read, so that the reader never believes in too late a
// time. An NMI may have come between with a run of its own, whose stamp must not be younger than the next one in the
// ring.
static u64 run_stamp(struct stap_ctx *c, struct stap_ring *r)
{
	u64 now;

	if (c->stamp_ns)
		return c->stamp_ns;
	__atomic_store_n(&r->writer->active, 1, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	now = host_clock_ns();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (now < r->last_stamp)
		now = r->last_stamp;
	r->last_stamp = now;
	c->stamp_ns = now;
	stap_store(&r->writer->active, now);
	c->flags |= STAP_CTX_WROTE;
	return now;
}

// In an NMI that interrupts a handler: its records bear the stamp of that handler's run when it has begun to write, and
// the announcement of the stamp stays that run's.
static u64 nmi_stamp(struct stap_ctx *c, struct stap_ring *r)
{
	const struct stap_ctx *interrupted = &c->home->ctx;

	if (interrupted->stamp_ns) {
		c->flags |= STAP_CTX_WROTE;
		return interrupted->stamp_ns;
	}
	return run_stamp(c, r);
}

static struct stap_ring *ring_of(struct stap_ctx *c)
{
	return &c->home->ring;
}

static int is_nmi(const struct stap_ctx *c)
{
	return c == &c->home->nmi;
}

// The session's context may wait for the reader to make room.
static void wait_for_room(struct stap_ctx *c, struct stap_ring *r, u64 payload)
{
	if (STAP_LIKELY(!stap_ring_is_full(r, payload)))
		return;
	stap_unshield(c);
	stap_ring_wait(r, payload);
	stap_shield(c);
}

// Room for a record of the handler's run; NULL: counted as lost.
static char *reserve(struct stap_ctx *c, struct stap_ring *r, u32 kind, u64 payload)
{
	u32 kind_and_probe = stap_kind_and_probe(kind, c->probe->index);
	u64 stamp;

	if (STAP_UNLIKELY(is_nmi(c))) {
		if (r->writing) {
			__atomic_fetch_add(&r->lost_in_nmi, 1, __ATOMIC_RELAXED);
			return STAP_NULL;
		}
		stamp = nmi_stamp(c, r);
	} else {
		stamp = run_stamp(c, r);
		if (STAP_UNLIKELY(stap_is_session(c)))
			wait_for_room(c, r, payload);
	}
	return stap_ring_reserve(r, kind_and_probe, payload, stamp);
}

void stap_emit(struct stap_ctx *c, u32 kind, struct stap_str payload)
{
	struct stap_ring *r = ring_of(c);
	char *to = reserve(c, r, kind, payload.len);

	if (!to)
		return;
	mem_copy(to, payload.ptr, payload.len);
	stap_ring_commit(r, payload.len);
}

void stap_emit_stack(struct stap_ctx *c, u32 kind, u32 form, const u64 *addresses, u32 count)
{
	const struct stap_record_stack head = {form, count};
	const u32 whose_size = kind == STAP_RECORD_USER_ADDRESSES ? sizeof(struct stap_user_place) : 0;
	const struct stap_user_place whose = whose_size ? stap_user_place(c, 0) : (struct stap_user_place){0};
	const u64 size = sizeof(head) + whose_size + count * sizeof(u64);
	struct stap_ring *r = ring_of(c);
	char *to = reserve(c, r, kind, size);

	if (!to)
		return;
	__builtin_memcpy(to, &head, sizeof(head));
	mem_copy(to + sizeof(head), &whose, whose_size);
	mem_copy(to + sizeof(head) + whose_size, addresses, count * sizeof(u64));
	stap_ring_commit(r, size);
}

// Copies what can be read from the address on, with what calls really return to. A read stays in a page, so that what
// follows may be missing.
static u32 copy_user_stack(struct stap_ctx *c, char *to, u64 from)
{
	u32 size = 0, part;

	for (; size < STAP_USER_STACK; size += part) {
		part = STAP_USER_PAGE - (u32)((from + size) % STAP_USER_PAGE);
		part = part < STAP_USER_STACK - size ? part : STAP_USER_STACK - size;
		if (host_read_user(to + size, from + size, part))
			break;
	}
	host_put_returns_back(c, to, size, from);
	return size;
}

void stap_emit_user_stack(struct stap_ctx *c, struct stap_record_user_stack *head)
{
	const u64 stack = head->registers[STAP_STACK_REGISTER];
	struct stap_ring *r = ring_of(c);
	char *to = reserve(c, r, STAP_RECORD_USER_STACK, sizeof(*head) + 2 * STAP_USER_STACK);
	u32 size = sizeof(*head);

	if (!to)
		return;
	head->first_size = copy_user_stack(c, to + size, stack);
	head->interrupted = host_interrupted_stack(to + size, head->first_size, stack);
	size += head->first_size;
	if (head->interrupted)
		size += copy_user_stack(c, to + size, head->interrupted);
	__builtin_memcpy(to, head, sizeof(*head));
	stap_ring_shorten(to, size);
	stap_ring_commit(r, size);
}

void stap_emit_end(struct stap_ctx *c)
{
	struct stap_ring *r = ring_of(c);

	if (STAP_LIKELY(!is_nmi(c) || c->stamp_ns))
		stap_store(&r->writer->active, 0);
	c->stamp_ns = 0;
	if (stap_ring_wants_wake(r))
		host_wake_reader();
}

void stap_emit_outside(u32 kind, struct stap_str payload)
{
	static const struct stap_probe none = {.index = STAP_NO_PROBE};
	struct stap_ctx *c;

	if (!stap_core.shm) {
		host_log(kind == STAP_RECORD_ERROR, payload.ptr, payload.len);
		return;
	}
	c = &stap_core.cpus[stap_core.cpu_count].ctx;
	c->probe = &none;
	c->stamp_ns = 0;
	c->flags = 0;
	stap_emit(c, kind, payload);
	stap_emit_end(c);
}

union stap_arg *stap_args_alloc(struct stap_ctx *c, u32 count)
{
	const u64 alignment = sizeof(stap_long);
	char *room = stap_temp_alloc(c, (u32)(count * sizeof(union stap_arg) + alignment - 1));

	return room ? (union stap_arg *)(((unsigned long)room + alignment - 1) & ~(alignment - 1)) : STAP_NULL;
}

void stap_print(struct stap_ctx *c, struct stap_str s)
{
	if (s.len)
		stap_emit(c, STAP_RECORD_TEXT, s);
}

void stap_print_long(struct stap_ctx *c, stap_long v)
{
	char text[24];

	stap_print(c, (struct stap_str){text, stap_append_long(text, sizeof(text), 0, v)});
}

// Formats now, where the probe hits, into a temporary string of at most `max` bytes.
static struct stap_str format_here(struct stap_ctx *c, const struct stap_format *f, const union stap_arg *args, u32 max)
{
	u32 room = c->arena_high - c->arena_low;
	// Written at the bottom of the free room, then moved to where temporaries live.
	// One byte more than is kept, for the cut to look at.
	u32 size = room <= max ? room : max + 1;
	u32 len, offset;
	struct stap_format_fault fault;
	struct stap_format_in in = {f->text, args, f->arg_count, host_read_kernel, host_read_user};
	char *to = c->arena + c->arena_low;

	len = stap_format_text(&in, to, size, &fault);
	if (fault.kind) {
		stap_fail_fault(c, fault.kind, fault.address);
		return STAP_STR("");
	}
	if (len > room && room <= max) {
		stap_fail_cstr(c, "out of memory for strings in this probe");
		return STAP_STR("");
	}
	if (len > max)
		len = stap_utf8_cut(to, len, max);
	offset = c->arena_high - len;
	mem_move(c->arena + offset, to, len);
	c->arena_high = offset;
	return (struct stap_str){c->arena + offset, len};
}

// The size of a deferred printf's payload.
static inline __attribute__((__always_inline__)) u64 payload_size(const struct stap_format *f,
								  const union stap_arg *args, int has_places)
{
	u64 size = sizeof(struct stap_record_format);

	for (u32 i = 0; i < f->arg_count; i++) {
		if (f->arg_types[i] == STAP_TYPE_STRING)
			size += sizeof(u32) + args[i].s.len;
		else if (has_places && stap_type_is_user_symbol(f->arg_types[i]))
			size += sizeof(struct stap_user_place);
		else if (has_places && f->arg_types[i] == STAP_TYPE_USYMS)
			size += sizeof(struct stap_user_place) + sizeof(u32) + args[i].s.len;
		else
			size += sizeof(stap_long);
	}
	return size;
}

// has_places: arguments may be addresses of a process, or strings of them. A constant, so that a printf without them
// pays nothing for it.
static inline __attribute__((__always_inline__)) void print_record(struct stap_ctx *c, u32 format,
								   const union stap_arg *args, int has_places)
{
	const struct stap_format *f = &stap_core.program->formats[format];
	struct stap_record_format head = {format};
	struct stap_ring *r = ring_of(c);
	u64 size = payload_size(f, args, has_places);
	char *to = reserve(c, r, STAP_RECORD_FORMAT, size);

	if (!to)
		return;
	__builtin_memcpy(to, &head, sizeof(head));
	to += sizeof(head);
	for (u32 i = 0; i < f->arg_count; i++) {
		if (has_places && f->arg_types[i] == STAP_TYPE_USYMS) {
			const struct stap_user_place whose = stap_user_place(c, 0);

			__builtin_memcpy(to, &whose, sizeof(whose));
			to += sizeof(whose);
		}
		if (f->arg_types[i] == STAP_TYPE_STRING || (has_places && f->arg_types[i] == STAP_TYPE_USYMS)) {
			__builtin_memcpy(to, &args[i].s.len, sizeof(u32));
			mem_copy(to + sizeof(u32), args[i].s.ptr, args[i].s.len);
			to += sizeof(u32) + args[i].s.len;
		} else if (has_places && stap_type_is_user_symbol(f->arg_types[i])) {
			__builtin_memcpy(to, &args[i].u, sizeof(struct stap_user_place));
			to += sizeof(struct stap_user_place);
		} else {
			__builtin_memcpy(to, &args[i].n, sizeof(stap_long));
			to += sizeof(stap_long);
		}
	}
	stap_ring_commit(r, size);
}

void stap_printf(struct stap_ctx *c, u32 format, const union stap_arg *args)
{
	print_record(c, format, args, 0);
}

void stap_printf_places(struct stap_ctx *c, u32 format, const union stap_arg *args)
{
	print_record(c, format, args, 1);
}

void stap_printf_here(struct stap_ctx *c, u32 format, const union stap_arg *args)
{
	u32 mark = stap_temps(c);

	stap_print(c, format_here(c, &stap_core.program->formats[format], args, c->arena_size));
	stap_temps_release(c, mark);
}

struct stap_str stap_sprintf(struct stap_ctx *c, u32 format, const union stap_arg *args)
{
	u32 max = stap_core.program->limits.max_string_len;

	return format_here(c, &stap_core.program->formats[format], args, max ? max - 1 : 0);
}

void stap_warn(struct stap_ctx *c, struct stap_str s)
{
	stap_emit(c, STAP_RECORD_WARN, s);
}

void stap_system(struct stap_ctx *c, struct stap_str command)
{
	stap_emit(c, STAP_RECORD_SYSTEM, command);
}

void stap_exit(struct stap_ctx *c)
{
	(void)c;
	stap_session_request_stop();
}
