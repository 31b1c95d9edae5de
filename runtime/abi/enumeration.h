// SPDX-License-Identifier: GPL-2.0-or-later
// Enumerations of the target, as @enumname looks values up in them.
#ifndef STAP_ABI_ENUMERATION_H
#define STAP_ABI_ENUMERATION_H

#include "context.h"

struct stap_enumerator {
	stap_long value;
	struct stap_str name;
};

struct stap_enumeration {
	const struct stap_enumerator *names; // by rising value, each value once
	u32 count;
};

// The name of a value; its decimal digits when no enumerator has it.
struct stap_str stap_enum_name(struct stap_ctx *c, const struct stap_enumeration *e, stap_long value);

#endif
