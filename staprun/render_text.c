// SPDX-License-Identifier: GPL-2.0-or-later
// Renders what a script prints as the text that its formats ask for.
#include "staprun.h"

// " 0xffffffff813669e0 : vfs_read+0x0/0x1b0"
static void render_stack(struct output *out, const struct event *e)
{
	char address[32];
	int n;

	for (u32 i = 0; i < e->frame_count; i++) {
		const struct event_frame *f = &e->frames[i];

		n = e->form == STAP_STACK_BRIEF
			    ? 0
			    : snprintf(address, sizeof(address), " 0x%llx : ", (unsigned long long)f->address);
		output_write(out, address, (size_t)n);
		output_write(out, f->symbol.ptr, f->symbol.len);
		output_write(out, "\n", 1);
	}
}

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
	if (e->kind == STAP_RECORD_STACK) {
		render_stack(out, e);
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
