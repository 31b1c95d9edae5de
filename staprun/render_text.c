// SPDX-License-Identifier: GPL-2.0-or-later
// Renders what a script prints as the text that its formats ask for.
#include "staprun.h"

const char *render_text(struct output *out, const struct event *e)
{
	struct stap_format_in in = {.args = e->args};
	struct stap_format_fault fault;
	u32 guess = 512, need;
	char *to;

	if (e->kind == STAP_RECORD_TEXT) {
		output_write(out, e->text.ptr, e->text.len);
		return NULL;
	}
	in.text = e->format->text;
	in.arg_count = e->format->arg_count;
	// The text is formatted straight into the output buffer, and once more when the guessed room was too small.
	for (;;) {
		to = output_reserve(out, guess);
		if (!to)
			return "too long for the memory at hand";
		need = stap_format_text(&in, to, guess, &fault);
		if (need <= guess)
			break;
		guess = need;
	}
	output_advance(out, need);
	return NULL;
}
