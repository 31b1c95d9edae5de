// SPDX-License-Identifier: GPL-2.0-or-later
// What embedded C of scripts calls: printing and errors with formats of C, and NUL-terminated strings in the arena.
#include "../abi/embedded.h"
#include "core.h"

static struct stap_str format_temporary(struct stap_ctx *c, const char *format, __builtin_va_list args)
{
	char *text = stap_c_buffer(c);

	if (!text)
		return STAP_STR("");
	return (struct stap_str){text, host_format(text, stap_core.program->limits.max_string_len, format, args)};
}

void stap_c_printf(struct stap_ctx *c, const char *format, ...)
{
	u32 mark = stap_temps(c);
	__builtin_va_list args;

	__builtin_va_start(args, format);
	stap_print(c, format_temporary(c, format, args));
	__builtin_va_end(args);
	stap_temps_release(c, mark);
}

void stap_c_fail(struct stap_ctx *c, const char *format, ...)
{
	u32 mark = stap_temps(c);
	__builtin_va_list args;

	__builtin_va_start(args, format);
	stap_fail(c, format_temporary(c, format, args));
	__builtin_va_end(args);
	stap_temps_release(c, mark);
}

char *stap_c_string(struct stap_ctx *c, struct stap_str s)
{
	static char none[1];
	char *text = stap_temp_alloc(c, s.len + 1);

	if (!text) {
		none[0] = 0;
		return none;
	}
	mem_copy(text, s.ptr, s.len);
	text[s.len] = 0;
	return text;
}

char *stap_c_buffer(struct stap_ctx *c)
{
	char *text = stap_temp_alloc(c, stap_core.program->limits.max_string_len);

	if (text)
		text[0] = 0;
	return text;
}

void stap_c_return(struct stap_ctx *c, char *buffer, const char *value)
{
	struct stap_str s = stap_cstr(value ? value : "");
	u32 room = stap_core.program->limits.max_string_len - 1;
	u32 n = stap_utf8_cut(s.ptr, s.len, room);

	(void)c;
	mem_move(buffer, s.ptr, n);
	buffer[n] = 0;
}
