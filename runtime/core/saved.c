// SPDX-License-Identifier: GPL-2.0-or-later
// Values of a function's entry that could not be read there: the error waits until the handler uses the value.
#include "core.h"

int stap_saved_keep_fault(struct stap_ctx *c, u32 offset, u32 faults, u32 index)
{
	if (c->fault == STAP_FAULT_NONE || (c->flags & STAP_CTX_UNCATCHABLE))
		return 1;
	*stap_saved_fault(c->event, faults, index) = (u8)c->fault;
	c->event->saved[offset] = (stap_long)c->fault_address;
	c->failed = 0;
	return 0;
}

void stap_saved_fail(struct stap_ctx *c, u32 offset, u32 faults, u32 index)
{
	stap_fail_fault(c, *stap_saved_fault(c->event, faults, index), (u64)c->event->saved[offset]);
}
