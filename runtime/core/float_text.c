// SPDX-License-Identifier: GPL-2.0-or-later
// Doubles to decimal text and back, all digits exact (abi/float.h).
//
// Between a double and its text stands a decimal number, a list of digits, that is multiplied and divided by powers of
// 2 until it is the whole number that the double's significand is, or the text. No double has more than 767 digits;
// what a text has beyond MAX_DIGITS can't make a difference, but for being there when the rest lies exactly between two
// doubles (`more`).
#include "../abi/float.h"
#include "core.h"

#define MAX_DIGITS  800
#define MAX_SHIFT   59 // 10 times what fits in so many bits fits in 63
#define SIGN        (1ull << 63)
#define INFINITE    (0x7ffull << 52)
#define A_NAN       (0x7ff8ull << 48)
#define MAX_DECIMAL 400 // exponents of ten beyond this one are infinite or 0

// 0.d1d2d3... * 10^point
struct decimal {
	u32 count;
	s32 point;
	u32 more; // digits that are not 0 were left out
	u8 digits[MAX_DIGITS];
};

static void trim(struct decimal *d)
{
	while (d->count && !d->digits[d->count - 1])
		d->count--;
	if (!d->count)
		d->point = 0;
}

static void append(struct decimal *d, u32 digit)
{
	if (d->count < MAX_DIGITS)
		d->digits[d->count++] = (u8)digit;
	else
		d->more |= digit != 0;
}

// Divides by 2^by: the digits are taken in from the left, the quotient's replace them.
static void shift_right(struct decimal *d, u32 by)
{
	const u64 mask = (1ull << by) - 1;
	u32 read = 0, count = d->count;
	u64 n = 0;

	while (!(n >> by)) {
		if (read >= count && !n) {
			d->count = 0;
			return;
		}
		n = n * 10 + (read < count ? d->digits[read] : 0);
		read++;
	}
	d->point -= (s32)read - 1;
	d->count = 0;
	for (; read < count; read++) {
		u32 next = d->digits[read];

		d->digits[d->count++] = (u8)(n >> by);
		n = (n & mask) * 10 + next;
	}
	while (n) {
		append(d, (u32)(n >> by));
		n = (n & mask) * 10;
	}
	trim(d);
}

// Multiplies by 2^by: from the right, then the digits that have come at the left move the others.
static void shift_left(struct decimal *d, u32 by)
{
	u8 new_digits[20];
	u32 new_count = 0, dropped;
	u64 carry = 0;

	for (u32 i = d->count; i--;) {
		carry += (u64)d->digits[i] << by;
		d->digits[i] = (u8)(carry % 10);
		carry /= 10;
	}
	for (; carry; carry /= 10)
		new_digits[new_count++] = (u8)(carry % 10);
	dropped = d->count + new_count > MAX_DIGITS ? d->count + new_count - MAX_DIGITS : 0;
	for (u32 i = d->count - dropped; i < d->count; i++)
		d->more |= d->digits[i] != 0;
	d->count -= dropped;
	mem_move((char *)d->digits + new_count, (char *)d->digits, d->count);
	for (u32 i = 0; i < new_count; i++)
		d->digits[i] = new_digits[new_count - 1 - i];
	d->count += new_count;
	d->point += (s32)new_count;
	trim(d);
}

// Multiplies by 2^by; a negative one divides.
static void shift(struct decimal *d, s32 by)
{
	for (; by > 0 && d->count; by -= by < MAX_SHIFT ? by : MAX_SHIFT)
		shift_left(d, (u32)(by < MAX_SHIFT ? by : MAX_SHIFT));
	for (; by < 0 && d->count; by += -by < MAX_SHIFT ? -by : MAX_SHIFT)
		shift_right(d, (u32)(-by < MAX_SHIFT ? -by : MAX_SHIFT));
}

// Is the number to be rounded up when only so many of its digits are kept?
static int rounds_up(const struct decimal *d, s32 kept)
{
	if (kept < 0 || (u32)kept >= d->count)
		return 0;
	if (d->digits[kept] != 5 || (u32)kept + 1 != d->count || d->more)
		return d->digits[kept] >= 5;
	return kept && (d->digits[kept - 1] & 1);
}

static void round_to(struct decimal *d, s32 kept)
{
	int up = rounds_up(d, kept);

	if (kept < 0 || (u32)kept >= d->count) {
		if (kept < 0)
			d->count = 0;
		return;
	}
	d->count = (u32)kept;
	while (up && d->count) {
		if (d->digits[d->count - 1] < 9) {
			d->digits[d->count - 1]++;
			return;
		}
		d->count--;
	}
	if (up) {
		d->digits[0] = 1;
		d->count = 1;
		d->point++;
	}
	trim(d);
}

// --- to text --------------------------------------------------------------------------------------------------------

static u8 digit_at(const struct decimal *d, s32 place)
{
	return place >= 0 && (u32)place < d->count ? d->digits[place] : 0;
}

static void decimal_of(struct decimal *d, u64 a)
{
	s32 biased = (s32)(a >> 52 & 0x7ff);
	u64 significand = a & ((1ull << 52) - 1);
	u8 reversed[20];
	u32 count = 0;

	if (biased)
		significand |= 1ull << 52;
	d->count = d->more = 0;
	for (; significand; significand /= 10)
		reversed[count++] = (u8)(significand % 10);
	d->point = (s32)count;
	while (count)
		d->digits[d->count++] = reversed[--count];
	shift(d, (biased ? biased : 1) - 1075);
}

static struct stap_str text_of(struct stap_ctx *c, const struct decimal *d, u64 sign, s32 precision)
{
	u32 max = stap_core.program->limits.max_string_len - 1, length = 0;
	u32 wanted = (sign ? 1 : 0) + (u32)(d->point > 0 ? d->point : 1) + (precision ? 1 + (u32)precision : 0);
	char *to = stap_temp_alloc(c, wanted < max ? wanted : max);
	s32 place = d->point > 0 ? 0 : d->point - 1;

	if (!to)
		return STAP_STR("");
	if (wanted < max)
		max = wanted;
	if (sign && length < max)
		to[length++] = '-';
	for (; place < d->point + precision && length < max; place++) {
		if (place == d->point)
			to[length++] = '.';
		if (length < max)
			to[length++] = (char)('0' + digit_at(d, place));
	}
	return (struct stap_str){to, length};
}

struct stap_str stap_float_to_text(struct stap_ctx *c, u64 a, stap_long precision)
{
	const s32 max = (s32)stap_core.program->limits.max_string_len;
	struct stap_str text;
	struct decimal *d;

	if ((a & ~SIGN) > INFINITE)
		return a & SIGN ? STAP_STR("-nan") : STAP_STR("nan");
	if ((a & ~SIGN) == INFINITE)
		return a & SIGN ? STAP_STR("-inf") : STAP_STR("inf");
	if (precision < 0)
		precision = 0;
	if (precision > max)
		precision = max;
	d = (struct decimal *)(((unsigned long)stap_temp_alloc(c, sizeof(*d) + 8) + 7) & ~7ul);
	if (c->failed)
		return STAP_STR("");
	decimal_of(d, a);
	round_to(d, d->point + (s32)precision);
	text = text_of(c, d, a & SIGN, (s32)precision);
	return text;
}

// --- from text ------------------------------------------------------------------------------------------------------

// The whole number; what is behind the point rounds it, ties to even.
static u64 whole_part(const struct decimal *d)
{
	u64 n = 0;

	for (s32 place = 0; place < d->point; place++)
		n = n * 10 + digit_at(d, place);
	return n + (u64)rounds_up(d, d->point);
}

static u64 float_of(struct decimal *d, u64 sign)
{
	s32 exponent = -1; // of the number when it is in [1/2, 1): its highest bit
	u64 significand;

	trim(d);
	if (!d->count || d->point < -MAX_DECIMAL)
		return sign;
	if (d->point > MAX_DECIMAL)
		return sign | INFINITE;
	while (d->point > 0) {
		s32 by = d->point > 17 ? MAX_SHIFT : d->point == 1 ? 1 : d->point * 3;

		shift(d, -by);
		exponent += by;
	}
	while (d->point < 0 || d->digits[0] < 5) {
		s32 by = d->point < -17 ? MAX_SHIFT : d->point == 0 ? 1 : -d->point * 3;

		shift(d, by);
		exponent -= by;
	}
	if (exponent < -1022) {
		shift(d, exponent + 1022);
		exponent = -1022;
	}
	shift(d, 53);
	significand = whole_part(d);
	if (significand == 1ull << 53) {
		significand >>= 1;
		exponent++;
	}
	if (exponent > 1023)
		return sign | INFINITE;
	// The highest bit of a normal number counts as one in the exponent; a subnormal one lacks it.
	return sign | (((u64)(exponent + 1022) << 52) + significand);
}

static int is_digit(struct stap_str s, u32 at)
{
	return at < s.len && s.ptr[at] >= '0' && s.ptr[at] <= '9';
}

static int begins_with(struct stap_str s, u32 at, const char *word)
{
	for (; *word; word++, at++)
		if (at >= s.len || (s.ptr[at] | 0x20) != *word)
			return 0;
	return 1;
}

// What follows the digits, if it is an exponent of ten.
static s32 exponent_at(struct stap_str s, u32 at)
{
	s32 n = 0, is_negative;

	if (at >= s.len || (s.ptr[at] | 0x20) != 'e')
		return 0;
	at++;
	is_negative = at < s.len && s.ptr[at] == '-';
	if (is_negative || (at < s.len && s.ptr[at] == '+'))
		at++;
	for (; is_digit(s, at); at++)
		if (n < 100000)
			n = n * 10 + (s.ptr[at] - '0');
	return is_negative ? -n : n;
}

u64 stap_float_from_text(struct stap_ctx *c, struct stap_str text)
{
	u32 at = 0, seen_point = 0, mark = stap_temps(c);
	struct decimal *d;
	u64 sign = 0;

	while (at < text.len && (text.ptr[at] == ' ' || (text.ptr[at] >= '\t' && text.ptr[at] <= '\r')))
		at++;
	if (at < text.len && (text.ptr[at] == '-' || text.ptr[at] == '+'))
		sign = text.ptr[at++] == '-' ? SIGN : 0;
	if (begins_with(text, at, "inf"))
		return sign | INFINITE;
	if (begins_with(text, at, "nan"))
		return sign | A_NAN;
	if (!is_digit(text, at) && !(at < text.len && text.ptr[at] == '.' && is_digit(text, at + 1)))
		return 0;
	d = (struct decimal *)(((unsigned long)stap_temp_alloc(c, sizeof(*d) + 8) + 7) & ~7ul);
	if (c->failed)
		return 0;
	d->count = d->more = 0;
	d->point = 0;
	for (; is_digit(text, at) || (at < text.len && text.ptr[at] == '.' && !seen_point); at++) {
		if (text.ptr[at] == '.') {
			seen_point = 1;
			continue;
		}
		if (d->count || text.ptr[at] != '0') {
			append(d, (u32)(text.ptr[at] - '0'));
			d->point += !seen_point;
		} else {
			d->point -= (s32)seen_point; // a 0 before the first digit that counts
		}
	}
	d->point += exponent_at(text, at);
	sign = float_of(d, sign);
	stap_temps_release(c, mark);
	return sign;
}
