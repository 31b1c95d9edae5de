// SPDX-License-Identifier: GPL-2.0-or-later
// What a handler writes: text, deferred printf, warnings, commands, exit.
#include "core.h"
#include "format.h"

// The run's time stamp, taken at its first record. `active` tells the reader that
// records older than the stamp may still come from this CPU: 1 is published before
// the clock is read, so that the reader never believes in too late a time.
static u64 run_stamp(struct stap_ctx *c, struct stap_ring *r)
{
	if (!c->stamp_ns) {
		__atomic_store_n(&r->writer->active, 1, __ATOMIC_SEQ_CST);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		c->stamp_ns = host_clock_ns();
		stap_store(&r->writer->active, c->stamp_ns);
		c->flags |= STAP_CTX_WROTE;
	}
	return c->stamp_ns;
}

static struct stap_ring *ring_of(struct stap_ctx *c)
{
	return &stap_core.cpus[c->cpu].ring;
}

// Room for a record of the handler's run; NULL: counted as lost.
static char *reserve(struct stap_ctx *c, struct stap_ring *r, u32 kind, u64 payload)
{
	return stap_ring_reserve(r, stap_kind_and_probe(kind, c->probe->index), payload, run_stamp(c, r));
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

void stap_emit_end(struct stap_ctx *c)
{
	struct stap_ring *r = ring_of(c);

	stap_store(&r->writer->active, 0);
	if (stap_ring_wants_wake(r))
		host_wake_reader();
}

void stap_emit_outside(u32 kind, struct stap_str payload)
{
	static const struct stap_probe none = {.index = STAP_NO_PROBE};
	u32 cpu = host_pin();
	struct stap_ctx *c;

	if (cpu >= stap_core.cpu_count) {
		host_log(kind == STAP_RECORD_ERROR, payload.ptr, payload.len);
		return;
	}
	c = &stap_core.cpus[cpu].ctx;
	c->busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->probe = &none;
	c->stamp_ns = 0;
	c->flags = 0;
	stap_emit(c, kind, payload);
	stap_emit_end(c);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	c->busy = 0;
	host_unpin(cpu);
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
	u32 len, offset;
	struct stap_format_fault fault;
	struct stap_format_in in = {f->text, args, f->arg_count, host_read_kernel, host_read_user};
	char *to = c->arena + c->arena_low;

	// Written at the bottom of the free room, then moved to where temporaries live.
	// One byte more than is kept, for the cut to look at.
	len = stap_format_text(&in, to, room < max ? room : max + 1, &fault);
	if (fault.kind) {
		stap_fail_fault(c, fault.kind, fault.address);
		return STAP_STR("");
	}
	if (len > room) {
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
static u64 payload_size(const struct stap_format *f, const union stap_arg *args)
{
	u64 size = sizeof(struct stap_record_format);

	for (u32 i = 0; i < f->arg_count; i++)
		size += f->arg_types[i] == STAP_TYPE_STRING ? sizeof(u32) + args[i].s.len : sizeof(stap_long);
	return size;
}

void stap_printf(struct stap_ctx *c, u32 format, const union stap_arg *args)
{
	const struct stap_format *f = &stap_core.program->formats[format];
	struct stap_record_format head = {format};
	struct stap_ring *r = ring_of(c);
	u64 size = payload_size(f, args);
	char *to = reserve(c, r, STAP_RECORD_FORMAT, size);

	if (!to)
		return;
	__builtin_memcpy(to, &head, sizeof(head));
	to += sizeof(head);
	for (u32 i = 0; i < f->arg_count; i++) {
		if (f->arg_types[i] == STAP_TYPE_STRING) {
			__builtin_memcpy(to, &args[i].s.len, sizeof(u32));
			mem_copy(to + sizeof(u32), args[i].s.ptr, args[i].s.len);
			to += sizeof(u32) + args[i].s.len;
		} else {
			__builtin_memcpy(to, &args[i].n, sizeof(stap_long));
			to += sizeof(stap_long);
		}
	}
	stap_ring_commit(r, size);
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
