// SPDX-License-Identifier: GPL-2.0-or-later
// Turns records into text: plain text, deferred printf, warnings, errors, commands of system().
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "staprun.h"

struct format {
	struct stap_str text;
	char *types; // one 'n' or 's' an argument
	u32 arg_count;
};

struct renderer {
	struct output *out;
	int no_warnings;
	unsigned errors;
	char *strings; // private copy of the format strings
	struct format *formats;
	u32 format_count;
	union stap_arg *args; // of the widest format
};

// Which arguments a format takes; they are looked up once.
static int format_init(struct format *f, struct stap_str text)
{
	int kind;

	f->text = text;
	f->types = malloc((size_t)text.len + 1); // a directive with its '*' is longer than its arguments are many
	if (!f->types)
		return -1;
	while (f->arg_count < text.len && (kind = stap_format_arg_is_string(text, f->arg_count)) >= 0)
		f->types[f->arg_count++] = kind ? 's' : 'n';
	return 0;
}

static const char *formats_init(struct renderer *r, const struct stap_shm *shm, u64 size)
{
	u64 offset = shm->strings_offset, end = shm->rings_offset, length;
	const struct stap_shm_format *table;
	u32 widest = 1;

	r->format_count = shm->format_count;
	if (end > size || offset > end || r->format_count > (end - offset) / sizeof(*table))
		return "the table of formats is corrupt";
	length = end - offset;
	r->strings = malloc(length + 1);
	r->formats = calloc((size_t)r->format_count + 1, sizeof(*r->formats));
	if (!r->strings || !r->formats)
		return "out of memory";
	memcpy(r->strings, (const char *)shm + offset, length);
	table = (const struct stap_shm_format *)r->strings;
	for (u32 i = 0; i < r->format_count; i++) {
		if (table[i].offset > length || table[i].length > length - table[i].offset)
			return "the table of formats is corrupt";
		if (format_init(&r->formats[i], (struct stap_str){r->strings + table[i].offset, table[i].length}))
			return "out of memory";
		widest = r->formats[i].arg_count > widest ? r->formats[i].arg_count : widest;
	}
	r->args = calloc(widest, sizeof(*r->args));
	return r->args ? NULL : "out of memory";
}

struct renderer *renderer_create(struct stap_shm *shm, unsigned long long size, struct output *out,
				 const struct options *o, const char **problem)
{
	struct renderer *r = calloc(1, sizeof(*r));

	if (!r) {
		*problem = "out of memory";
		return NULL;
	}
	r->out = out;
	r->no_warnings = o->no_warnings;
	*problem = formats_init(r, shm, size);
	if (*problem) {
		renderer_destroy(r);
		return NULL;
	}
	return r;
}

void renderer_destroy(struct renderer *r)
{
	if (!r)
		return;
	for (u32 i = 0; r->formats && i < r->format_count; i++)
		free(r->formats[i].types);
	free(r->formats);
	free(r->strings);
	free(r->args);
	free(r);
}

static void malformed(struct renderer *r, const struct stap_record *record, const char *why)
{
	r->errors++;
	output_flush(r->out);
	error("malformed record from cpu %u: %s", record->cpu, why);
}

// The arguments in the payload, as the format wants them; 0 when they are all there.
static int decode_args(struct renderer *r, const struct format *f, const char *at, u32 left)
{
	for (u32 i = 0; i < f->arg_count; i++) {
		u32 need = f->types[i] == 's' ? 4 : 8, length;

		if (left < need)
			return -1;
		if (f->types[i] == 'n') {
			memcpy(&r->args[i].n, at, 8);
		} else {
			memcpy(&length, at, 4);
			if (length > left - 4)
				return -1;
			r->args[i].s = (struct stap_str){at + 4, length};
			need += length;
		}
		at += need;
		left -= need;
	}
	return left ? -1 : 0;
}

static void render_format(struct renderer *r, const struct stap_record *record, const char *payload, u32 length)
{
	struct stap_record_format head;
	struct stap_format_in in = {.args = r->args};
	struct stap_format_fault fault;
	const struct format *f;
	u32 guess = 512, need;
	char *to;

	if (length < sizeof(head)) {
		malformed(r, record, "too short for a format");
		return;
	}
	memcpy(&head, payload, sizeof(head));
	if (head.format >= r->format_count) {
		malformed(r, record, "no such format");
		return;
	}
	f = &r->formats[head.format];
	if (head.arg_count != f->arg_count || decode_args(r, f, payload + sizeof(head), length - (u32)sizeof(head))) {
		malformed(r, record, "its arguments don't fit the format");
		return;
	}
	in.text = f->text;
	in.arg_count = f->arg_count;
	// Straight into the output; a second time when the guess was too small.
	for (;;) {
		to = output_reserve(r->out, guess);
		if (!to) {
			malformed(r, record, "too long for the memory at hand");
			return;
		}
		need = stap_format_text(&in, to, guess, &fault);
		if (need <= guess)
			break;
		guess = need;
	}
	output_advance(r->out, need);
}

void renderer_record(void *renderer, const struct stap_record *record, const char *payload, unsigned length)
{
	struct renderer *r = renderer;

	switch (record->kind) {
	case STAP_RECORD_TEXT: output_write(r->out, payload, length); break;
	case STAP_RECORD_FORMAT: render_format(r, record, payload, length); break;
	case STAP_RECORD_WARN:
		if (r->no_warnings)
			break;
		output_flush(r->out); // both streams in order on a terminal
		warning("%.*s", (int)length, payload);
		break;
	case STAP_RECORD_ERROR:
		r->errors++;
		output_flush(r->out);
		error("%.*s", (int)length, payload);
		error_hint(payload, length);
		break;
	case STAP_RECORD_TRACE:
		output_flush(r->out);
		fprintf(stderr, "%.*s\n", (int)length, payload);
		break;
	case STAP_RECORD_SYSTEM:
		output_flush(r->out);
		run_system(payload, length);
		break;
	default: malformed(r, record, "of an unknown kind");
	}
}

unsigned renderer_errors(const struct renderer *r)
{
	return r->errors;
}
