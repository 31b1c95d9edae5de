// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers with a fraction by integer arithmetic: the kernel has no floating-point registers to spare for a probe.
//
// A value is the 64 bits of an IEEE 754 double. Results are rounded to nearest, ties to even, and are bit for bit those
// of the processor's own instructions (SSE2), subnormal numbers, infinities and NaNs included. There are no exception
// flags. All may be called in any context; loops are bounded by the width of a number.
#ifndef STAP_ABI_FLOAT_H
#define STAP_ABI_FLOAT_H

#include "context.h"

// How stap_float_to_long() rounds.
enum stap_rounding {
	STAP_ROUND_NEAR_EVEN,
	STAP_ROUND_TO_ZERO,
	STAP_ROUND_DOWN,
	STAP_ROUND_UP,
	STAP_ROUND_NEAR_AWAY, // ties away from zero
	STAP_ROUND_TO_ODD = 6 // what is not exact: the neighbour with an odd last bit
};

u64 stap_float_add(u64 a, u64 b);
u64 stap_float_sub(u64 a, u64 b);
u64 stap_float_mul(u64 a, u64 b);
u64 stap_float_div(u64 a, u64 b);
// The remainder of IEEE 754, remainder(3): a - n * b, n being the whole number nearest to a / b.
u64 stap_float_rem(u64 a, u64 b);
u64 stap_float_sqrt(u64 a);
// 1 or 0; 0 when one of them is a NaN.
int stap_float_eq(u64 a, u64 b);
int stap_float_lt(u64 a, u64 b);
int stap_float_le(u64 a, u64 b);
u64 stap_float_from_long(stap_long n);
u64 stap_float_from_single(u32 bits); // the 32 bits of a float
// The smallest long for what no long can be, NaNs included.
stap_long stap_float_to_long(u64 a, enum stap_rounding rounding);

// --- text (core/float_text.c) ---

// As printf's "%.*f": all digits are exact. "inf", "-inf", "nan", "-nan". A result longer than a string can be is cut.
struct stap_str stap_float_to_text(struct stap_ctx *c, u64 a, stap_long precision);
// As strtod(3), of decimal numbers, "inf" and "nan": the double nearest to the text. 0 for what is no number.
u64 stap_float_from_text(struct stap_ctx *c, struct stap_str text);

#endif
