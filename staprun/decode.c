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

struct decoder *decoder_create(const struct stap_shm *shm, unsigned long long size, const char **problem)
{
	struct decoder *d = calloc(1, sizeof(*d));
	struct stap_shm head;

	if (!d || size < sizeof(head)) {
		*problem = d ? "the shared memory is too small" : "out of memory";
		free(d);
		return NULL;
	}
	*problem = read_tables(d, shm, size);
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
	free(d);
}

struct stap_str decoder_probe(const struct decoder *d, u32 probe)
{
	return probe < d->probe_count ? d->probes[probe] : (struct stap_str){"", 0};
}

// Reads the arguments that the format takes into d->args. Returns 0 when the payload holds exactly these.
static int decode_args(struct decoder *d, const struct event_format *f, const char *at, u32 left)
{
	for (u32 i = 0; i < f->arg_count; i++) {
		u32 need = f->arg_types[i] == STAP_TYPE_STRING ? 4 : 8, length;

		if (left < need)
			return -1;
		if (f->arg_types[i] == STAP_TYPE_LONG) {
			memcpy(&d->args[i].n, at, 8);
		} else {
			memcpy(&length, at, 4);
			if (length > left - 4)
				return -1;
			d->args[i].s = (struct stap_str){at + 4, length};
			need += length;
		}
		at += need;
		left -= need;
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
	if (e->kind == STAP_RECORD_FORMAT)
		return decode_format(d, payload, length, e);
	if (e->kind == STAP_RECORD_LOST) {
		if (length != sizeof(e->lost))
			return "not as long as its kind";
		memcpy(&e->lost, payload, sizeof(e->lost));
		return NULL;
	}
	e->text = (struct stap_str){payload, length};
	return e->kind > STAP_RECORD_TRACE || e->kind == STAP_RECORD_PAD ? "of an unknown kind" : NULL;
}
