// SPDX-License-Identifier: GPL-2.0-or-later
// Names of flags and of enumerated values, as system calls take them.
#include "core.h"
#include "../abi/text.h"

struct stap_str stap_text_flags(struct stap_ctx *c, stap_long value, const struct stap_flag *flags, u32 count)
{
	u64 rest = (u64)value;
	char text[480];
	u32 len = 0;

	for (u32 i = 0; i < count; i++) {
		if (((u64)value & flags[i].mask) != flags[i].value || (flags[i].value & ~rest))
			continue;
		if (len)
			len = stap_append(text, sizeof(text), len, STAP_STR("|"));
		len = stap_append(text, sizeof(text), len, stap_cstr(flags[i].name));
		rest &= ~flags[i].mask;
	}
	if (rest || !len) {
		if (len)
			len = stap_append(text, sizeof(text), len, STAP_STR("|"));
		len = stap_append(text, sizeof(text), len, STAP_STR("0x"));
		len = stap_append_hex(text, sizeof(text), len, rest);
	}
	return stap_str_copy(c, (struct stap_str){text, len});
}

struct stap_str stap_text_numbered(struct stap_ctx *c, stap_long number, const char *const *names, u32 count)
{
	char text[24];

	if (number >= 0 && number < count && names[number])
		return stap_cstr(names[number]);
	return stap_str_copy(c, (struct stap_str){text, stap_append_long(text, sizeof(text), 0, number)});
}
