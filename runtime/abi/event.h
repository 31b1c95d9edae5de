// SPDX-License-Identifier: GPL-2.0-or-later
// Named values that some kinds of probes pass to their handlers besides registers, and what handlers tell them.
//
// The event's `data` points to a struct stap_event_values where the kind says so (attach_kinds.h). Which number is
// which is agreed upon between the kind's mechanism and the family of probes in the translator.
#ifndef STAP_ABI_EVENT_H
#define STAP_ABI_EVENT_H

#include "context.h"

struct stap_event_values {
	const stap_long *numbers;
	char *text; // of text_len bytes, with room for text_size; NULL: the kind has none
	u32 text_len, text_size;
	u64 results; // bit n: n is a result that a handler may ask for
};

static inline struct stap_event_values *stap_event_values(struct stap_ctx *c)
{
	return (struct stap_event_values *)c->event->data;
}
static inline stap_long stap_event_number(struct stap_ctx *c, u32 index)
{
	return stap_event_values(c)->numbers[index];
}
// A copy of the text as a temporary, cut at MAXSTRINGLEN - 1.
struct stap_str stap_event_text(struct stap_ctx *c);
// What has no room is cut off, on a UTF-8 boundary.
void stap_event_text_set(struct stap_ctx *c, struct stap_str s);
void stap_event_text_append(struct stap_ctx *c, struct stap_str s);
// Sets event->result; the error "N is no verdict that a handler may give" when it is none of those allowed.
void stap_event_result_set(struct stap_ctx *c, stap_long value);

// What the perf counter of probe number `probe` has counted on this CPU, or for this task: an error where it does not
// count.
stap_long stap_perf_counter(struct stap_ctx *c, u32 probe);

#endif
