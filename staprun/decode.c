// SPDX-License-Identifier: GPL-2.0-or-later
// Decodes a record once into an event: who wrote it, where and when, and its text or its format with typed arguments.
//
// Nothing in the shared memory is trusted. Tables that contradict each other are refused, which ends the run; of
// records, only those that do not fit the tables are refused.
#include <stdlib.h>
#include <string.h>

#include "staprun.h"

struct decoder {
	char *tables; // a private copy, because the script's process could change the shared one after it was checked
	struct event_format *formats;
	struct stap_str *probes; // the probe points by the numbers of the probes, as records name them
	u32 format_count, probe_count;
	struct symbols *symbols;
	union stap_arg *args; // room for the arguments of the format that takes most
};

// Sets *found to the string in our copy of the tables. Returns -1 when it lies outside of them.
static int find_string(const struct decoder *d, u64 length, const struct stap_shm_string *s, struct stap_str *found)
{
	if (s->offset > length || s->length > length - s->offset)
		return -1;
	*found = (struct stap_str){d->tables + s->offset, s->length};
	return 0;
}

static int find_format(const struct decoder *d, u64 length, const struct stap_shm_format *f, struct event_format *found)
{
	struct stap_str types;

	if (find_string(d, length, &f->text, &found->text) || find_string(d, length, &f->arg_types, &types))
		return -1;
	found->arg_types = types.ptr;
	found->arg_count = types.len;
	return stap_format_takes(found->text, types.ptr, types.len) ? 0 : -1;
}

static const char *read_tables(struct decoder *d, const struct stap_shm *shm, u64 size)
{
	const u64 offset = shm->strings_offset, end = shm->ring_addresses_offset, length = end - offset;
	const struct stap_shm_format *formats;
	const struct stap_shm_string *probes;
	u32 widest = 1;

	d->format_count = shm->format_count;
	d->probe_count = shm->probe_count;
	if (end > size || offset > end ||
	    d->format_count * (u64)sizeof(*formats) + d->probe_count * (u64)sizeof(*probes) > length)
		return "the table of formats is corrupt";
	d->tables = malloc(length + 1);
	d->formats = calloc((size_t)d->format_count + 1, sizeof(*d->formats));
	d->probes = calloc((size_t)d->probe_count + 1, sizeof(*d->probes));
	if (!d->tables || !d->formats || !d->probes)
		return "out of memory";
	memcpy(d->tables, (const char *)shm + offset, length);
	formats = (const struct stap_shm_format *)d->tables;
	probes = (const struct stap_shm_string *)(formats + d->format_count);
	for (u32 i = 0; i < d->format_count; i++) {
		if (find_format(d, length, &formats[i], &d->formats[i]))
			return "the table of formats is corrupt";
		widest = d->formats[i].arg_count > widest ? d->formats[i].arg_count : widest;
	}
	for (u32 i = 0; i < d->probe_count; i++)
		if (find_string(d, length, &probes[i], &d->probes[i]))
			return "the table of probes is corrupt";
	d->args = calloc(widest, sizeof(*d->args));
	return d->args ? NULL : "out of memory";
}

struct decoder *decoder_create(const struct script *script, const char **problem)
{
	struct decoder *d = calloc(1, sizeof(*d));
	struct stap_shm head;

	if (!d || script->shm_size < sizeof(head)) {
		*problem = d ? "the shared memory is too small" : "out of memory";
		free(d);
		return NULL;
	}
	*problem = read_tables(d, script->shm, script->shm_size);
	d->symbols = *problem ? NULL : symbols_create(script);
	if (!*problem && !d->symbols)
		*problem = "out of memory";
	if (!*problem)
		return d;
	decoder_destroy(d);
	return NULL;
}

void decoder_destroy(struct decoder *d)
{
	if (!d)
		return;
	free(d->tables);
	free(d->formats);
	free(d->probes);
	free(d->args);
	symbols_destroy(d->symbols);
	free(d);
}

void decoder_keep_symbols(struct decoder *d, const struct script *script, const struct options *o)
{
	symbols_keep(d->symbols, script, o, d->probes, d->probe_count);
}

struct stap_str decoder_probe(const struct decoder *d, u32 probe)
{
	return probe < d->probe_count ? d->probes[probe] : (struct stap_str){"", 0};
}

// How many bytes an argument has at least.
static u32 least_size(char type)
{
	return type == STAP_TYPE_STRING         ? sizeof(u32)
	       : type == STAP_TYPE_USYMS        ? sizeof(struct stap_user_place) + sizeof(u32)
	       : stap_type_is_user_symbol(type) ? sizeof(struct stap_user_place)
						: sizeof(u64);
}

// Reads the argument at `at`: how many bytes it has; 0 when that is more than are left, which are enough for the least.
static u32 decode_arg(struct decoder *d, char type, const char *at, u32 left, union stap_arg *arg)
{
	const u32 head = type == STAP_TYPE_USYMS ? sizeof(struct stap_user_place) : 0;
	struct stap_user_place place;
	u32 length;

	if (type == STAP_TYPE_STRING || type == STAP_TYPE_USYMS) {
		memcpy(&length, at + head, sizeof(length));
		if (length > left - head - sizeof(length))
			return 0;
		arg->s = (struct stap_str){at + head + sizeof(length), length};
		if (head) {
			memcpy(&place, at, sizeof(place));
			arg->s = symbols_user_lines(d->symbols, &place, arg->s);
		}
		return head + (u32)sizeof(length) + length;
	}
	if (stap_type_is_user_symbol(type)) {
		memcpy(&place, at, sizeof(place));
		arg->s = symbols_user(d->symbols, (u8)type, &place);
		return sizeof(place);
	}
	memcpy(&arg->n, at, sizeof(arg->n));
	if (type != STAP_TYPE_LONG)
		arg->s = symbols_kernel(d->symbols, (u8)type, (u64)arg->n);
	return sizeof(arg->n);
}

// Reads the arguments that the format takes into d->args. Returns 0 when the payload holds exactly these.
static int decode_args(struct decoder *d, const struct event_format *f, const char *at, u32 left)
{
	for (u32 i = 0; i < f->arg_count; i++) {
		u32 size =
			left < least_size(f->arg_types[i]) ? 0 : decode_arg(d, f->arg_types[i], at, left, &d->args[i]);

		if (!size)
			return -1;
		at += size;
		left -= size;
	}
	return left ? -1 : 0;
}

static const char *decode_format(struct decoder *d, const char *payload, u32 length, struct event *e)
{
	struct stap_record_format head;

	if (length < sizeof(head))
		return "too short for a format";
	memcpy(&head, payload, sizeof(head));
	if (head.format >= d->format_count)
		return "no such format";
	e->format = &d->formats[head.format];
	e->args = d->args;
	if (decode_args(d, e->format, payload + sizeof(head), length - (u32)sizeof(head)))
		return "its arguments don't fit the format";
	return NULL;
}

static const char *decode_addresses(struct decoder *d, const char *payload, u32 length, struct event *e)
{
	const int of_process = e->kind == STAP_RECORD_USER_ADDRESSES;
	struct stap_user_place whose;
	struct stap_record_stack head;
	const u32 start = sizeof(head) + (of_process ? sizeof(whose) : 0);

	if (length < start)
		return "too short for a stack";
	memcpy(&head, payload, sizeof(head));
	if (head.form >= STAP_STACK_FORMS || (length - start) / sizeof(u64) != head.count ||
	    (length - start) % sizeof(u64))
		return "its addresses don't fit the stack";
	e->form = head.form;
	if (of_process) {
		memcpy(&whose, payload + sizeof(head), sizeof(whose));
		e->frames = symbols_user_addresses(d->symbols, head.form, &whose, payload + start, head.count,
						   &e->frame_count);
	} else {
		e->frames = symbols_stack(d->symbols, head.form, payload + start, head.count, &e->frame_count);
	}
	e->kind = STAP_RECORD_STACK;
	return NULL;
}

static const char *decode_user_stack(struct decoder *d, const char *payload, u32 length, struct event *e)
{
	struct stap_record_user_stack head;

	if (length < sizeof(head))
		return "too short for a stack";
	memcpy(&head, payload, sizeof(head));
	if (head.form >= STAP_STACK_FORMS)
		return "no such form of a stack";
	if (head.first_size > length - sizeof(head))
		return "its bytes don't fit the stack";
	e->kind = STAP_RECORD_STACK;
	e->form = head.form;
	e->frames = symbols_user_stack(d->symbols, &head, payload + sizeof(head), length - (u32)sizeof(head),
				       &e->frame_count);
	return NULL;
}

const char *decode(struct decoder *d, const struct stap_record *record, unsigned cpu, const char *payload,
		   unsigned length, struct event *e)
{
	const u32 probe = stap_record_probe(record);

	*e = (struct event){.kind = stap_record_kind(record), .cpu = cpu, .time_ns = record->time_ns};
	if (probe != STAP_NO_PROBE) {
		if (probe >= d->probe_count)
			return "no such probe";
		e->probe = d->probes[probe];
	}
	symbols_release(d->symbols);
	if (e->kind == STAP_RECORD_FORMAT)
		return decode_format(d, payload, length, e);
	if (e->kind == STAP_RECORD_STACK || e->kind == STAP_RECORD_USER_ADDRESSES)
		return decode_addresses(d, payload, length, e);
	if (e->kind == STAP_RECORD_USER_STACK)
		return decode_user_stack(d, payload, length, e);
	if (e->kind == STAP_RECORD_LOST) {
		if (length != sizeof(e->lost))
			return "not as long as its kind";
		memcpy(&e->lost, payload, sizeof(e->lost));
		return NULL;
	}
	e->text = (struct stap_str){payload, length};
	if (e->kind == STAP_RECORD_NOTE)
		return NULL;
	return e->kind > STAP_RECORD_TRACE || e->kind == STAP_RECORD_PAD ? "of an unknown kind" : NULL;
}
