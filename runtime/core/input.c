// SPDX-License-Identifier: GPL-2.0-or-later
// What the reader passes on from its standard input: a hit for each byte, or for each line.
//
// The handlers run on the session's context, one at a time, and may take long like those of reports. Nobody else is
// held up by them but who types.
#include "../abi/event.h"
#include "core.h"

static char *line; // of MAXSTRINGLEN bytes; NULL: no probe wants lines
static u32 line_len;
static u32 line_is_cut; // what comes up to the newline has no room

int stap_input_attach(struct stap_probe *p)
{
	if (p->attach.input.lines && !line) {
		line = host_alloc(stap_core.program->limits.max_string_len);
		if (!line)
			return -STAP_ENOMEM;
		line_len = 0;
		line_is_cut = 0;
	}
	return 0;
}

void stap_input_detach(struct stap_probe *const *probes, u32 count)
{
	(void)probes;
	(void)count;
	host_free(line, stap_core.program->limits.max_string_len);
	line = STAP_NULL;
}

static void hit_all(u32 lines, char *text, u32 len)
{
	const struct stap_program *p = stap_core.program;

	for (u32 i = 0; i < p->probe_count; i++) {
		struct stap_event_values values = {.text = text, .text_len = len, .text_size = len};
		struct stap_event event = {.data = &values};

		if (p->probes[i].attach.kind == STAP_ATTACH_INPUT && !p->probes[i].attach.input.lines == !lines &&
		    p->probes[i].state)
			stap_hit_report(&p->probes[i], &event);
	}
}

static void end_line(void)
{
	if (line_len)
		hit_all(1, line, line_len);
	line_len = 0;
	line_is_cut = 0;
}

static void add_to_line(char byte)
{
	if (line_len + 1 < stap_core.program->limits.max_string_len && !line_is_cut)
		line[line_len++] = byte;
	else
		line_is_cut = 1;
	if (byte == '\n')
		end_line();
}

void stap_session_input(const char *text, u32 len)
{
	if (stap_load(&stap_core.state) != STAP_STATE_RUNNING)
		return;
	for (u32 i = 0; i < len; i++) {
		char byte = text[i];

		hit_all(0, &byte, 1);
		if (line)
			add_to_line(byte);
	}
	if (!len && line)
		end_line();
}
