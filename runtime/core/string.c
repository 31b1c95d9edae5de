// SPDX-License-Identifier: GPL-2.0-or-later
// Strings: temporaries and variables in the context's arena, copied to fit and cut between UTF-8 characters.
#include "core.h"

struct stap_str stap_cstr(const char *s)
{
	return (struct stap_str){s, s ? (u32)__builtin_strlen(s) : 0};
}

// How many bytes of the text to keep so that at most `max` are kept and no character is split:
// stap_utf8_cut("a\xc3\xa9", 3, 2) is 1, because the two bytes of the second character stay together.
u32 stap_utf8_cut(const char *s, u32 len, u32 max)
{
	u32 cut = max;

	if (len <= max)
		return len;
	while (cut > 0 && max - cut < 3 && ((u8)s[cut] & 0xc0) == 0x80)
		cut--;
	// A UTF-8 character has at most three continuation bytes. Where there are four, this is not UTF-8 and any byte
	// will do as a cut.
	return ((u8)s[cut] & 0xc0) == 0x80 ? max : cut;
}

u32 stap_append(char *out, u32 size, u32 len, struct stap_str s)
{
	u32 room = len < size ? size - len : 0;
	u32 n = stap_utf8_cut(s.ptr, s.len, room);

	mem_copy(out + len, s.ptr, n);
	return len + n;
}

static u32 append_digits(char *out, u32 size, u32 len, u64 v, u32 base)
{
	char digits[20];
	u32 n = sizeof(digits);

	do {
		digits[--n] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v && n);
	return stap_append(out, size, len, (struct stap_str){digits + n, sizeof(digits) - n});
}

u32 stap_append_long(char *out, u32 size, u32 len, stap_long v)
{
	if (v < 0)
		len = stap_append(out, size, len, STAP_STR("-"));
	return append_digits(out, size, len, v < 0 ? 0 - (u64)v : (u64)v, 10);
}

u32 stap_append_hex(char *out, u32 size, u32 len, u64 v)
{
	return append_digits(out, size, len, v, 16);
}

int stap_str_cmp(struct stap_str a, struct stap_str b)
{
	u32 n = a.len < b.len ? a.len : b.len;
	int order = n ? __builtin_memcmp(a.ptr, b.ptr, n) : 0;

	if (order)
		return order;
	return a.len < b.len ? -1 : a.len > b.len;
}

char *stap_temp_alloc(struct stap_ctx *c, u32 n)
{
	if (STAP_UNLIKELY(n > c->arena_high - c->arena_low)) {
		stap_fail_cstr(c, "out of memory for strings in this probe");
		return STAP_NULL;
	}
	c->arena_high -= n;
	return c->arena + c->arena_high;
}

static u32 string_max(void)
{
	u32 max = stap_core.program->limits.max_string_len;

	return max ? max - 1 : 0;
}

struct stap_str stap_str_copy(struct stap_ctx *c, struct stap_str s)
{
	u32 n = stap_utf8_cut(s.ptr, s.len, string_max());
	char *to = n ? stap_temp_alloc(c, n) : STAP_NULL;

	if (!to)
		return STAP_STR("");
	mem_move(to, s.ptr, n);
	return (struct stap_str){to, n};
}

struct stap_str stap_concat(struct stap_ctx *c, struct stap_str a, struct stap_str b)
{
	u32 max = string_max();
	u32 from_a, from_b;
	char *to;

	if (!b.len && a.len <= max)
		return a;
	if (!a.len && b.len <= max)
		return b;
	from_a = stap_utf8_cut(a.ptr, a.len, max);
	from_b = from_a < a.len ? 0 : stap_utf8_cut(b.ptr, b.len, max - from_a);
	to = stap_temp_alloc(c, from_a + from_b);
	if (!to)
		return STAP_STR("");
	mem_move(to, a.ptr, from_a);
	mem_move(to + from_a, b.ptr, from_b);
	return (struct stap_str){to, from_a + from_b};
}

struct stap_str stap_concat_list(struct stap_ctx *c, const struct stap_str *parts, u32 count)
{
	u32 max = string_max(), len = 0, n;
	u64 all = 0;
	char *to;

	for (u32 i = 0; i < count; i++)
		all += parts[i].len;
	to = stap_temp_alloc(c, all < max ? (u32)all : max);
	if (!to)
		return STAP_STR("");
	for (u32 i = 0; i < count; i++) {
		n = stap_utf8_cut(parts[i].ptr, parts[i].len, max - len);
		mem_copy(to + len, parts[i].ptr, n);
		len += n;
	}
	return (struct stap_str){to, len};
}

// Whether p points into the arena, and its offset there. Constants and globals lie outside of it.
static int arena_offset(const struct stap_ctx *c, const char *p, u32 *offset)
{
	u64 at = (u64)(unsigned long)p - (u64)(unsigned long)c->arena;

	*offset = (u32)at;
	return at < c->arena_size;
}

struct stap_str stap_frame_return(struct stap_ctx *c, struct stap_marks m, struct stap_str s)
{
	u32 offset;

	stap_frame_release(c, m);
	if (!s.len)
		return STAP_STR("");
	// A constant, a global or a temporary of the caller outlives the frame, so it need not be copied.
	if (!arena_offset(c, s.ptr, &offset) || offset >= m.high)
		return s;
	// The released bytes may overlap with the room for the copy, which stap_str_copy allows for.
	return stap_str_copy(c, s);
}

// Makes room for `need` bytes in the variable. The last variable of the arena grows in place, any other one moves to
// the arena's end. Returns 0, or nonzero after reporting that the arena is full.
static int strvar_grow(struct stap_ctx *c, struct stap_strvar *v, u32 need)
{
	u32 max = string_max();
	u32 cap = need < 32 ? 32 : need;
	u32 offset;

	if (cap < 2 * v->cap)
		cap = 2 * v->cap;
	if (cap > max && need <= max)
		cap = max;
	if (v->cap && arena_offset(c, v->ptr, &offset) && offset + v->cap == c->arena_low &&
	    offset + cap <= c->arena_high) {
		c->arena_low = offset + cap;
		v->cap = cap;
		return 0;
	}
	if (cap > c->arena_high - c->arena_low)
		cap = need;
	if (cap > c->arena_high - c->arena_low) {
		stap_fail_cstr(c, "out of memory for strings in this probe");
		return -1;
	}
	// The old bytes stay valid until the frame ends, because `s` may be a slice of them.
	v->ptr = c->arena + c->arena_low;
	v->cap = cap;
	c->arena_low += cap;
	return 0;
}

void stap_strvar_set(struct stap_ctx *c, struct stap_strvar *v, struct stap_str s)
{
	u32 n = stap_utf8_cut(s.ptr, s.len, string_max());

	if (n > v->cap && strvar_grow(c, v, n))
		return;
	mem_move(v->ptr, s.ptr, n);
	v->len = n;
}

struct stap_str stap_global_str_get(struct stap_ctx *c, const struct stap_global_str *g)
{
	return stap_str_copy(c, (struct stap_str){g->data, g->len});
}

void stap_global_str_set(struct stap_ctx *c, struct stap_global_str *g, struct stap_str s)
{
	(void)c;
	stap_inline_str_set(&g->len, g->data, g->cap, s);
}

void stap_inline_str_set(u32 *len, char *data, u32 cap, struct stap_str s)
{
	u32 n = cap ? stap_utf8_cut(s.ptr, s.len, cap - 1) : 0;

	mem_move(data, s.ptr, n);
	*len = n;
}

// The length, then eight bytes at a time, then the rest as one word.
u64 stap_hash_str(u64 h, struct stap_str s)
{
	u32 i = 0;
	u64 word;

	h = stap_hash_long(h, s.len);
	for (; i + 8 <= s.len; i += 8) {
		__builtin_memcpy(&word, s.ptr + i, 8);
		h = stap_hash_long(h, (stap_long)word);
	}
	for (word = 0; i < s.len; i++)
		word = word << 8 | (u8)s.ptr[i];
	return stap_hash_long(h, (stap_long)word);
}
