// SPDX-License-Identifier: GPL-2.0-or-later
// Aggregates: what @min @max @avg @variance extract, and division as scripts see it.
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

static stap_long divide(stap_long a, stap_long b)
{
	return b == 0 ? 0 : b == -1 ? stap_neg(a) : a / b;
}

// Welford's algorithm on values scaled by 2^shift; stap(1) says what overflow does to it.
void stap_stat_add_variance(struct stap_stat *s, stap_long v, u32 shift)
{
	stap_long scaled = stap_shl(v, shift);
	stap_long delta;

	s->shift = shift;
	stap_stat_add(s, v);
	delta = stap_sub(scaled, s->mean_shifted);
	s->mean_shifted = stap_add(s->mean_shifted, divide(delta, s->count));
	s->m2_shifted = stap_add(s->m2_shifted, stap_mul(delta, stap_sub(scaled, s->mean_shifted)));
}

// The running mean loses what integer division drops, so the spread around the true mean is added
// (which is also how parts gathered on several CPUs join). stap(1)'s example, 1..5, gives 12, and 2 with one bit.
stap_long stap_stat_variance(struct stap_ctx *c, const struct stap_stat *s)
{
	stap_long mean, off, m2;

	if (is_empty(c, s) || s->count < 2)
		return 0;
	mean = divide(stap_shl(s->sum, s->shift), s->count);
	off = stap_sub(mean, s->mean_shifted);
	m2 = stap_add(s->m2_shifted, stap_mul(s->count, stap_mul(off, off)));
	// Scaled twice; in two steps, because a shift of 62 or more does not fit in one.
	return divide(m2, s->count - 1) >> (s->shift & 63) >> (s->shift & 63);
}
