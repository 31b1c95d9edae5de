// SPDX-License-Identifier: GPL-2.0-or-later
// Aggregates: what @min, @max, @avg and @variance extract; and the division of the script language, in which dividing
// by zero is an error and the lowest number divided by -1 wraps around.
#include "core.h"

stap_long stap_div(struct stap_ctx *c, stap_long a, stap_long b)
{
	if (STAP_UNLIKELY(b == 0)) {
		stap_fail_cstr(c, "division by 0");
		return 0;
	}
	return b == -1 ? stap_neg(a) : a / b;
}

stap_long stap_mod(struct stap_ctx *c, stap_long a, stap_long b)
{
	if (STAP_UNLIKELY(b == 0)) {
		stap_fail_cstr(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;
}

static int is_empty(struct stap_ctx *c, const struct stap_stat *s)
{
	if (s && s->count)
		return 0;
	if (c)
		stap_fail_cstr(c, "empty aggregate");
	return 1;
}

stap_long stap_stat_min(struct stap_ctx *c, const struct stap_stat *s)
{
	return is_empty(c, s) ? 0 : s->min;
}

stap_long stap_stat_max(struct stap_ctx *c, const struct stap_stat *s)
{
	return is_empty(c, s) ? 0 : s->max;
}

stap_long stap_stat_avg(struct stap_ctx *c, const struct stap_stat *s)
{
	return is_empty(c, s) ? 0 : s->sum / s->count;
}

// --- variance ------------------------------------------------------------------
//
// floor((n * sum of squares - sum * sum) / (n * (n - 1))), without rounding on the way. n and the values have 64 bits
// at most, so the sum has 127, the sum of squares 189 and the difference 253. The result is taken modulo 2^64, as all
// arithmetic of scripts is. A kernel has no function for dividing 128 bits, hence divide().

typedef unsigned __int128 u128;

struct wide {
	u64 part[4]; // the lowest bits first
};

void stap_stat_add_variance(struct stap_stat *s, stap_long v)
{
	const u64 magnitude = v < 0 ? 0 - (u64)v : (u64)v;
	const int carry = (u64)s->sum + (u64)v < (u64)v; // of the addition to the lower half of the sum
	u128 square = (u128)magnitude * magnitude + s->squares[0];

	s->squares[0] = (u64)square;
	square = (square >> 64) + s->squares[1];
	s->squares[1] = (u64)square;
	s->squares[2] += (u64)(square >> 64);
	s->sum_high += (v < 0 ? -1 : 0) + carry;
	stap_stat_add(s, v);
}

// w += a * b * 2^(64 * at)
static void add_product(struct wide *w, u32 at, u64 a, u64 b)
{
	u128 carry = (u128)a * b;

	for (u32 i = at; i < STAP_ARRAY_LEN(w->part); i++) {
		carry += w->part[i];
		w->part[i] = (u64)carry;
		carry >>= 64;
	}
}

// from -= what, where `what` is not larger than `from`
static void subtract(struct wide *from, const struct wide *what)
{
	u64 borrow = 0;

	for (u32 i = 0; i < STAP_ARRAY_LEN(from->part); i++) {
		u128 difference = (u128)from->part[i] - what->part[i] - borrow;

		from->part[i] = (u64)difference;
		borrow = (u64)(difference >> 64) & 1;
	}
}

// The quotient modulo 2^64. Where the dividend has more than 64 bits it is divided bit by bit, in at most 256 turns.
// `by` is below 2^127, so that the remainder can be shifted without losing a bit.
static u64 divide(const struct wide *w, u128 by)
{
	u32 high = STAP_ARRAY_LEN(w->part) - 1;
	u64 quotient = 0;
	u128 rest = 0;

	while (high && !w->part[high])
		high--;
	if (!high)
		return by >> 64 ? 0 : w->part[0] / (u64)by;
	for (u32 bit = 64 * high + 64 - (u32)__builtin_clzll(w->part[high]); bit-- > 0;) {
		rest = rest << 1 | (w->part[bit / 64] >> (bit % 64) & 1);
		quotient <<= 1;
		if (rest >= by) {
			rest -= by;
			quotient |= 1;
		}
	}
	return quotient;
}

stap_long stap_stat_variance(struct stap_ctx *c, const struct stap_stat *s)
{
	struct wide numerator = {{0}}, square = {{0}};
	u128 sum;

	if (is_empty(c, s) || s->count < 2)
		return 0;
	sum = (u128)(u64)s->sum_high << 64 | (u64)s->sum;
	if (s->sum_high < 0)
		sum = -sum;
	for (u32 i = 0; i < STAP_ARRAY_LEN(s->squares); i++)
		add_product(&numerator, i, (u64)s->count, s->squares[i]);
	add_product(&square, 0, (u64)sum, (u64)sum);
	add_product(&square, 1, (u64)sum, (u64)(sum >> 64));
	add_product(&square, 1, (u64)sum, (u64)(sum >> 64));
	add_product(&square, 2, (u64)(sum >> 64), (u64)(sum >> 64));
	subtract(&numerator, &square);
	return (stap_long)divide(&numerator, (u128)(u64)s->count * (u64)(s->count - 1));
}
