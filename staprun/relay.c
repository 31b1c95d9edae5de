// SPDX-License-Identifier: GPL-2.0-or-later
// Where each record goes: what the script prints to the renderer, warnings and errors to standard error, the commands
// of system() to a shell.
#include <stdlib.h>

#include "staprun.h"

#define LOSSES_SAID     10 // at once; then
#define LOSSES_APART_NS 1000000000u

struct relay {
	struct decoder *decoder;
	event_renderer *render;
	struct output *out;
	int no_warnings;
	unsigned errors;
	u64 lost;       // records lost where it was not said yet
	unsigned said;  // how often it was
	u64 said_at_ns; // the last time
};

struct relay *relay_create(const struct script *s, struct output *out, const struct options *o, const char **problem)
{
	struct relay *r = calloc(1, sizeof(*r));

	if (!r) {
		*problem = "out of memory";
		return NULL;
	}
	r->render = render_text;
	r->out = out;
	r->no_warnings = o->no_warnings;
	r->decoder = decoder_create(s, problem);
	if (r->decoder) {
		decoder_keep_symbols(r->decoder, s, o);
		return r;
	}
	free(r);
	return NULL;
}

void relay_destroy(struct relay *r)
{
	if (!r)
		return;
	decoder_destroy(r->decoder);
	free(r);
}

// Writes a line to standard error. The output that came before it is written first, so that both are in order where
// they go to the same terminal.
static void say(struct relay *r, const struct event *e)
{
	const int length = (int)e->text.len;

	output_flush(r->out);
	if (e->kind == STAP_RECORD_NOTE)
		complain("NOTE", "%.*s", length, e->text.ptr);
	else if (e->kind == STAP_RECORD_WARN)
		warning("%.*s", length, e->text.ptr);
	else if (e->kind == STAP_RECORD_ERROR)
		error("%.*s", length, e->text.ptr);
	else
		fprintf(stderr, "%.*s\n", length, e->text.ptr);
}

// Says where records were lost. While losses follow each other quickly, one line a second does: more would slow the
// reading down, and lose more.
static void say_lost(struct relay *r, const struct event *e)
{
	r->lost += e->lost.records;
	if (r->no_warnings || (r->said >= LOSSES_SAID && e->time_ns - r->said_at_ns < LOSSES_APART_NS))
		return;
	output_flush(r->out);
	warning("%llu records were lost here", (unsigned long long)r->lost);
	r->lost = 0;
	r->said++;
	r->said_at_ns = e->time_ns;
}

void relay_record(void *relay, const struct stap_record *record, unsigned cpu, const char *payload, unsigned length)
{
	struct relay *r = relay;
	struct event e;
	const char *problem = decode(r->decoder, record, cpu, payload, length, &e);

	switch (problem ? STAP_RECORD_PAD : e.kind) {
	case STAP_RECORD_PAD: break; // it could not be decoded, which is reported below
	case STAP_RECORD_TEXT:
	case STAP_RECORD_FORMAT:
	case STAP_RECORD_STACK:
	case STAP_RECORD_USER_STACK: // decoded as the one above
	case STAP_RECORD_USER_ADDRESSES:
		problem = r->render(r->out, &e);
		output_end_record(r->out);
		break;
	case STAP_RECORD_NOTE:
	case STAP_RECORD_WARN:
		if (!r->no_warnings)
			say(r, &e);
		break;
	case STAP_RECORD_ERROR:
		r->errors++;
		say(r, &e);
		error_hint(e.text.ptr, e.text.len);
		break;
	case STAP_RECORD_TRACE: say(r, &e); break;
	case STAP_RECORD_LOST: say_lost(r, &e); break;
	case STAP_RECORD_SYSTEM:
		output_flush(r->out);
		run_system(e.text.ptr, e.text.len);
		break;
	}
	if (!problem)
		return;
	r->errors++;
	output_flush(r->out);
	error("malformed record from cpu %u: %s", cpu, problem);
}

struct stap_str relay_probe(const struct relay *r, u32 probe)
{
	return decoder_probe(r->decoder, probe);
}

unsigned relay_errors(const struct relay *r)
{
	return r->errors;
}
