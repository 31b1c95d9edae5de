// SPDX-License-Identifier: GPL-2.0-or-later
// Searches and cuts strings for the tapset's string functions.
#include "core.h"
#include "../abi/text.h"

struct stap_str stap_text_slice(struct stap_str s, stap_long start, stap_long length)
{
	if (start < 0 || length <= 0 || start >= (stap_long)s.len)
		return STAP_STR("");
	if (length > (stap_long)s.len - start)
		length = (stap_long)s.len - start;
	return (struct stap_str){s.ptr + start, (u32)length};
}

stap_long stap_text_find(struct stap_str s, struct stap_str part)
{
	if (!part.len)
		return 0;
	for (u32 i = 0; part.len <= s.len && i <= s.len - part.len; i++)
		if (s.ptr[i] == part.ptr[0] && !__builtin_memcmp(s.ptr + i, part.ptr, part.len))
			return i;
	return -1;
}

stap_long stap_text_byte(struct stap_ctx *c, struct stap_str s, stap_long position)
{
	if (position < 0 || position >= (stap_long)stap_core.program->limits.max_string_len) {
		stap_fail_cstr(c, "string index out of range");
		return 0;
	}
	return position < (stap_long)s.len ? (u8)s.ptr[position] : 0;
}

static struct stap_str rest_of(struct stap_str s, u32 from)
{
	return (struct stap_str){s.ptr + from, s.len - from};
}

// How long the result of a replacement would be if strings had no limit.
static u64 replaced_length(struct stap_str s, struct stap_str from, struct stap_str to)
{
	u64 length = s.len;
	stap_long at;

	while ((at = stap_text_find(s, from)) >= 0) {
		length = length - from.len + to.len;
		s = rest_of(s, (u32)at + from.len);
	}
	return length;
}

// Appends s, and returns whether all of it fitted. If not, the caller must append nothing more: a shorter piece would
// otherwise stand where the cut piece should have gone on.
static int put(char *out, u32 size, u32 *done, struct stap_str s)
{
	u32 before = *done;

	*done = stap_append(out, size, before, s);
	return *done - before == s.len;
}

struct stap_str stap_text_replace(struct stap_ctx *c, struct stap_str s, struct stap_str from, struct stap_str to)
{
	u32 max = stap_core.program->limits.max_string_len - 1;
	u64 length;
	u32 size, done = 0;
	stap_long at;
	char *out;

	if (!from.len || stap_text_find(s, from) < 0)
		return s;
	length = replaced_length(s, from, to);
	size = length < max ? (u32)length : max;
	out = size ? stap_temp_alloc(c, size) : STAP_NULL;
	if (!out)
		return STAP_STR("");
	while ((at = stap_text_find(s, from)) >= 0) {
		if (!put(out, size, &done, (struct stap_str){s.ptr, (u32)at}) || !put(out, size, &done, to))
			return (struct stap_str){out, done};
		s = rest_of(s, (u32)at + from.len);
	}
	put(out, size, &done, s);
	return (struct stap_str){out, done};
}

static int is_one_of(char byte, struct stap_str set)
{
	for (u32 i = 0; i < set.len; i++)
		if (set.ptr[i] == byte)
			return 1;
	return 0;
}

static u32 token_start(struct stap_str s, struct stap_str delimiters)
{
	u32 i = 0;

	while (i < s.len && is_one_of(s.ptr[i], delimiters))
		i++;
	return i;
}

struct stap_str stap_text_token(struct stap_str s, struct stap_str delimiters)
{
	u32 n = 0;

	s = rest_of(s, token_start(s, delimiters));
	while (n < s.len && !is_one_of(s.ptr[n], delimiters))
		n++;
	return (struct stap_str){s.ptr, n};
}

struct stap_str stap_text_after_token(struct stap_str s, struct stap_str delimiters)
{
	u32 end = token_start(s, delimiters) + stap_text_token(s, delimiters).len;

	return rest_of(s, end < s.len ? end + 1 : end);
}

struct stap_str stap_text_point_function(struct stap_str point)
{
	const struct stap_str openings[] = {STAP_STR("function(\""), STAP_STR("trace(\"")};

	for (u32 i = 0; i < STAP_ARRAY_LEN(openings); i++) {
		stap_long at = stap_text_find(point, openings[i]);

		if (at >= 0)
			return stap_text_token(rest_of(point, (u32)at + openings[i].len), STAP_STR("@\""));
	}
	return STAP_STR("");
}
