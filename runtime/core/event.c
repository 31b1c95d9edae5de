// SPDX-License-Identifier: GPL-2.0-or-later
// A handler's access to the text and the result of its hit (abi/event.h).
#include "../abi/event.h"
#include "core.h"

struct stap_str stap_event_text(struct stap_ctx *c)
{
	const struct stap_event_values *v = stap_event_values(c);

	return stap_str_copy(c, (struct stap_str){v->text, v->text_len});
}

void stap_event_text_set(struct stap_ctx *c, struct stap_str s)
{
	struct stap_event_values *v = stap_event_values(c);

	v->text_len = stap_append(v->text, v->text_size, 0, s);
}

void stap_event_text_append(struct stap_ctx *c, struct stap_str s)
{
	struct stap_event_values *v = stap_event_values(c);

	v->text_len = stap_append(v->text, v->text_size, v->text_len, s);
}

void stap_event_result_set(struct stap_ctx *c, stap_long value)
{
	char text[64];
	u32 len;

	if (value >= 0 && value < 64 && (stap_event_values(c)->results >> value & 1)) {
		c->event->result = value;
		return;
	}
	len = stap_append_long(text, sizeof(text), 0, value);
	len = stap_append(text, sizeof(text), len, STAP_STR(" is no verdict that a handler may give"));
	stap_fail(c, (struct stap_str){text, len});
}
