// SPDX-License-Identifier: GPL-2.0-or-later
// Arithmetic of doubles on integers (abi/float.h).
//
// A finite number that is not 0 is taken apart into a sign, an exponent and a significand whose highest bit is bit 62:
// its value is significand * 2^(exponent - 62). A double keeps 53 of these 63 bits. The lowest of the other ten is
// "sticky": it also stands for all bits that were shifted out below it, so that rounding knows whether anything is
// there.
#include "../abi/float.h"
#include "core.h"

#define SIGN          (1ull << 63)
#define INFINITY_BITS (0x7ffull << 52)
#define QUIET         (1ull << 51)
#define DEFAULT_NAN   (SIGN | INFINITY_BITS | QUIET)
#define TOP           (1ull << 62)
#define BIAS          1023

struct number {
	u64 sign; // SIGN or 0
	s32 exponent;
	u64 significand;
};

static int is_nan(u64 a)
{
	return (a & ~SIGN) > INFINITY_BITS;
}

static int is_infinite(u64 a)
{
	return (a & ~SIGN) == INFINITY_BITS;
}

static int is_zero(u64 a)
{
	return !(a & ~SIGN);
}

// Of two operands of which one is a NaN: the first NaN, made quiet.
static u64 passed_nan(u64 a, u64 b)
{
	return (is_nan(a) ? a : b) | QUIET;
}

static u64 shift_right_sticky(u64 n, u32 by)
{
	if (!by)
		return n;
	if (by > 63)
		return n != 0;
	return n >> by | (n << (64 - by) != 0);
}

static void normalize(struct number *n)
{
	int zeros = __builtin_clzll(n->significand) - 1;

	n->significand <<= zeros;
	n->exponent -= zeros;
}

// Of a finite number that is not 0.
static struct number take_apart(u64 a)
{
	struct number n = {.sign = a & SIGN, .exponent = (s32)(a >> 52 & 0x7ff) - BIAS};

	n.significand = (a & ((1ull << 52) - 1)) << 10;
	if (n.exponent > -BIAS) {
		n.significand |= TOP;
	} else {
		n.exponent = 1 - BIAS; // a subnormal number has the exponent of the smallest normal ones
		normalize(&n);
	}
	return n;
}

// The double nearest to a number whose significand has bit 62 as its highest.
static u64 put_together(struct number n)
{
	s32 biased = n.exponent + BIAS;
	u64 rest, kept;

	if (biased >= 0x7ff)
		return n.sign | INFINITY_BITS;
	if (biased <= 0) {
		n.significand = shift_right_sticky(n.significand, (u32)(1 - biased));
		biased = 1; // bit 62 is 0 now
	}
	rest = n.significand & 0x3ff;
	kept = n.significand >> 10;
	kept += rest > 0x200 || (rest == 0x200 && (kept & 1));
	// The highest bit of a normal number, and a carry out of the significand, count as one in the exponent.
	return n.sign | (((u64)(biased - 1) << 52) + kept);
}

static u64 add_magnitudes(struct number a, struct number b)
{
	a.significand += shift_right_sticky(b.significand, (u32)(a.exponent - b.exponent));
	if (a.significand & SIGN) {
		a.significand = shift_right_sticky(a.significand, 1);
		a.exponent++;
	}
	return put_together(a);
}

// |a| >= |b|.
static u64 subtract_magnitudes(struct number a, struct number b)
{
	a.significand -= shift_right_sticky(b.significand, (u32)(a.exponent - b.exponent));
	if (!a.significand)
		return 0;
	normalize(&a);
	return put_together(a);
}

u64 stap_float_add(u64 a, u64 b)
{
	struct number x, y;

	if (is_nan(a) || is_nan(b))
		return passed_nan(a, b);
	if (is_infinite(a))
		return is_infinite(b) && a != b ? DEFAULT_NAN : a;
	if (is_infinite(b))
		return b;
	if (is_zero(a))
		return is_zero(b) ? a & b : b;
	if (is_zero(b))
		return a;
	x = take_apart(a);
	y = take_apart(b);
	if ((a & ~SIGN) < (b & ~SIGN)) {
		struct number larger = y;

		y = x;
		x = larger;
	}
	return x.sign == y.sign ? add_magnitudes(x, y) : subtract_magnitudes(x, y);
}

u64 stap_float_sub(u64 a, u64 b)
{
	return stap_float_add(a, is_nan(b) ? b : b ^ SIGN);
}

u64 stap_float_mul(u64 a, u64 b)
{
	u64 sign = (a ^ b) & SIGN;
	struct number x, y;
	unsigned __int128 product;

	if (is_nan(a) || is_nan(b))
		return passed_nan(a, b);
	if (is_infinite(a) || is_infinite(b))
		return is_zero(a) || is_zero(b) ? DEFAULT_NAN : sign | INFINITY_BITS;
	if (is_zero(a) || is_zero(b))
		return sign;
	x = take_apart(a);
	y = take_apart(b);
	product = (unsigned __int128)x.significand * y.significand;
	x.sign = sign;
	x.exponent += y.exponent;
	x.significand = (u64)(product >> 62) | ((u64)product << 2 != 0);
	if (x.significand & SIGN) {
		x.significand = shift_right_sticky(x.significand, 1);
		x.exponent++;
	}
	return put_together(x);
}

u64 stap_float_div(u64 a, u64 b)
{
	u64 sign = (a ^ b) & SIGN, rest, quotient = 0;
	struct number x, y;

	if (is_nan(a) || is_nan(b))
		return passed_nan(a, b);
	if (is_infinite(a))
		return is_infinite(b) ? DEFAULT_NAN : sign | INFINITY_BITS;
	if (is_infinite(b))
		return sign;
	if (is_zero(b))
		return is_zero(a) ? DEFAULT_NAN : sign | INFINITY_BITS;
	if (is_zero(a))
		return sign;
	x = take_apart(a);
	y = take_apart(b);
	rest = x.significand;
	x.sign = sign;
	x.exponent -= y.exponent;
	if (rest < y.significand) {
		rest <<= 1;
		x.exponent--;
	}
	for (int bit = 0; bit < 63; bit++) {
		quotient <<= 1;
		if (rest >= y.significand) {
			rest -= y.significand;
			quotient |= 1;
		}
		rest <<= 1;
	}
	x.significand = quotient | (rest != 0);
	return put_together(x);
}

u64 stap_float_rem(u64 a, u64 b)
{
	struct number x, y;
	u64 rest, is_odd = 0;
	s32 distance;

	if (is_nan(a) || is_nan(b))
		return passed_nan(a, b);
	if (is_infinite(a) || is_zero(b))
		return DEFAULT_NAN;
	if (is_infinite(b) || is_zero(a))
		return a;
	x = take_apart(a);
	y = take_apart(b);
	distance = x.exponent - y.exponent;
	if (distance < -1)
		return a; // less than half of b
	rest = x.significand;
	if (distance == -1) {
		if (rest <= y.significand)
			return a;
		rest = 2 * y.significand - rest; // in units of half of b's
		x.sign ^= SIGN;
	} else {
		for (s32 i = 0; i <= distance; i++) { // 2,098 turns at most
			if (i)
				rest <<= 1;
			is_odd = rest >= y.significand;
			if (is_odd)
				rest -= y.significand;
		}
		x.exponent = y.exponent;
		if (2 * rest > y.significand || (2 * rest == y.significand && is_odd)) {
			rest = y.significand - rest;
			x.sign ^= SIGN;
		}
		if (!rest)
			return a & SIGN;
	}
	if (rest & SIGN) { // exact: b's lowest ten bits are 0
		rest >>= 1;
		x.exponent++;
	}
	x.significand = rest;
	normalize(&x);
	return put_together(x);
}

u64 stap_float_sqrt(u64 a)
{
	unsigned __int128 square;
	struct number x;
	u64 root = 0;

	if (is_nan(a))
		return a | QUIET;
	if (is_zero(a))
		return a;
	if (a & SIGN)
		return DEFAULT_NAN;
	if (is_infinite(a))
		return a;
	x = take_apart(a);
	square = (unsigned __int128)x.significand << 62;
	if (x.exponent & 1) {
		square <<= 1;
		x.exponent--;
	}
	x.exponent /= 2;
	for (int bit = 62; bit >= 0; bit--) {
		u64 larger = root | 1ull << bit;

		if ((unsigned __int128)larger * larger <= square)
			root = larger;
	}
	x.significand = root | ((unsigned __int128)root * root != square);
	return put_together(x);
}

int stap_float_eq(u64 a, u64 b)
{
	return !is_nan(a) && !is_nan(b) && (a == b || (is_zero(a) && is_zero(b)));
}

int stap_float_lt(u64 a, u64 b)
{
	if (is_nan(a) || is_nan(b) || (is_zero(a) && is_zero(b)))
		return 0;
	if ((a ^ b) & SIGN)
		return !!(a & SIGN);
	return a & SIGN ? a > b : a < b;
}

int stap_float_le(u64 a, u64 b)
{
	return stap_float_lt(a, b) || stap_float_eq(a, b);
}

u64 stap_float_from_long(stap_long n)
{
	struct number x = {.sign = n < 0 ? SIGN : 0, .exponent = 62};
	u64 magnitude = n < 0 ? 0 - (u64)n : (u64)n;

	if (!n)
		return 0;
	if (magnitude & SIGN) {
		magnitude = shift_right_sticky(magnitude, 1);
		x.exponent++;
	}
	x.significand = magnitude;
	normalize(&x);
	return put_together(x);
}

u64 stap_float_from_single(u32 bits)
{
	u64 sign = (u64)(bits >> 31) << 63, fraction = bits & 0x7fffff;
	u32 biased = bits >> 23 & 0xff;
	struct number x = {sign, (s32)biased - 127, (fraction | 1 << 23) << 39};

	if (biased == 0xff)
		return sign | INFINITY_BITS | fraction << 29 | (fraction ? QUIET : 0);
	if (!biased) {
		if (!fraction)
			return sign;
		x.exponent = -126;
		x.significand = fraction << 39;
		normalize(&x);
	}
	return put_together(x);
}

// Is the whole part to be increased? `rest` is what is behind the point, in units of 2^-63, the lowest bit sticky.
static int rounds_up(enum stap_rounding rounding, u64 sign, u64 whole, u64 rest)
{
	switch (rounding) {
	case STAP_ROUND_NEAR_EVEN: return rest > TOP || (rest == TOP && (whole & 1));
	case STAP_ROUND_NEAR_AWAY: return rest >= TOP;
	case STAP_ROUND_DOWN: return rest && sign;
	case STAP_ROUND_UP: return rest && !sign;
	case STAP_ROUND_TO_ODD: return rest && !(whole & 1);
	case STAP_ROUND_TO_ZERO: break;
	}
	return 0;
}

stap_long stap_float_to_long(u64 a, enum stap_rounding rounding)
{
	const u64 lowest = SIGN;
	u64 whole = 0, rest;
	struct number x;

	if (is_zero(a))
		return 0;
	if (is_nan(a) || is_infinite(a))
		return (stap_long)lowest;
	x = take_apart(a);
	if (x.exponent > 62) // -2^63 is the only one of them that is a long, and is what the others give too
		return (stap_long)lowest;
	if (x.exponent >= 0) {
		whole = x.significand >> (62 - x.exponent);
		rest = x.exponent == 62 ? 0 : x.significand << (2 + x.exponent) >> 1;
	} else {
		rest = shift_right_sticky(x.significand, (u32)(-x.exponent - 1));
	}
	whole += (u64)rounds_up(rounding, x.sign, whole, rest);
	return (stap_long)(x.sign ? 0 - whole : whole);
}
