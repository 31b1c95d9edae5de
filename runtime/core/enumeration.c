// SPDX-License-Identifier: GPL-2.0-or-later
// Names of an enumeration's values, for @enumname.
#include "core.h"
#include "../abi/enumeration.h"

struct stap_str stap_enum_name(struct stap_ctx *c, const struct stap_enumeration *e, stap_long value)
{
	u32 low = 0, high = e->count;
	char text[24];

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (e->names[middle].value == value)
			return e->names[middle].name;
		if (e->names[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return stap_str_copy(c, (struct stap_str){text, stap_append_long(text, sizeof(text), 0, value)});
}
