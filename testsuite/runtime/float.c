// SPDX-License-Identifier: GPL-2.0-or-later
// Doubles by integer arithmetic against the processor's, and their text against the C library's, for random and for
// awkward numbers.
#include "unit.h"

#include <limits.h>
#include <math.h>

#include "abi/float.h"

#define RANDOM_PAIRS 300000
#define RANDOM_TEXTS 20000

static struct stap_event event;
static struct stap_probe probe = {.point = "timer", .attach = {.kind = STAP_ATTACH_TIMER}};
struct stap_program stap_program = {.abi_version = STAP_ABI_VERSION,
				    .name = "unit",
				    .limits = {.max_string_len = 2048,
					       .max_action = 1000,
					       .max_action_interruptible = 10000,
					       .max_nesting = 5,
					       .min_stack_space = 1024,
					       .arena_size = 16384},
				    .probes = &probe,
				    .probe_count = 1};

// Where arithmetic goes wrong: both signs of zero, the ends of subnormal and normal numbers, 1 and its neighbours,
// halves, the ends of long, infinity, NaNs.
static const u64 awkward[] = {
	0,
	1,
	2,
	0xfffffffffffffull,
	0x10000000000000ull,
	0x10000000000001ull,
	0x3cb0000000000000ull,
	0x3fdfffffffffffffull,
	0x3fe0000000000000ull,
	0x3fefffffffffffffull,
	0x3ff0000000000000ull,
	0x3ff0000000000001ull,
	0x3ff8000000000000ull,
	0x4000000000000000ull,
	0x4004000000000000ull,
	0x4008000000000000ull,
	0x400c000000000000ull,
	0x4340000000000000ull,
	0x43dfffffffffffffull,
	0x43e0000000000000ull,
	0x43e0000000000001ull,
	0x7fe0000000000000ull,
	0x7fefffffffffffffull,
	0x7ff0000000000000ull,
	0x7ff0000000000001ull,
	0x7ff8000000000000ull,
	0x7ff8000000000123ull,
};

static double value_of(u64 bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static u64 bits_of(double value)
{
	u64 bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static void same(const char *what, u64 a, u64 b, u64 got, double want)
{
	// Which of two NaNs is passed on is the compiler's choice, which may exchange operands.
	if (got == bits_of(want) || (isnan(want) && isnan(value_of(got))))
		return;
	printf("%s of %#llx (%g) and %#llx (%g): got %#llx (%g), expected %#llx (%g)\n", what, a, value_of(a), b,
	       value_of(b), got, value_of(got), bits_of(want), want);
	exit(1);
}

static stap_long whole(double value)
{
	return value >= -0x1p63 && value < 0x1p63 ? (stap_long)value : LLONG_MIN;
}

// To the neighbour with an odd last bit: floor and ceiling are the neighbours.
static double to_odd(double x)
{
	return floor(x) == x ? x : fmod(floor(x), 2) != 0 ? floor(x) : ceil(x);
}

static void check_longs(u64 a)
{
	double x = value_of(a);

	CHECK(stap_float_to_long(a, STAP_ROUND_NEAR_EVEN) == whole(nearbyint(x)));
	CHECK(stap_float_to_long(a, STAP_ROUND_TO_ZERO) == whole(trunc(x)));
	CHECK(stap_float_to_long(a, STAP_ROUND_DOWN) == whole(floor(x)));
	CHECK(stap_float_to_long(a, STAP_ROUND_UP) == whole(ceil(x)));
	CHECK(stap_float_to_long(a, STAP_ROUND_NEAR_AWAY) == whole(round(x)));
	CHECK(stap_float_to_long(a, STAP_ROUND_TO_ODD) == whole(to_odd(x)));
	same("from long", a, 0, stap_float_from_long((stap_long)a), (double)(stap_long)a);
}

static void check_single(u32 bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	same("from single", bits, 0, stap_float_from_single(bits), (double)x);
}

static void check_pair(u64 a, u64 b)
{
	double x = value_of(a), y = value_of(b);

	same("sum", a, b, stap_float_add(a, b), x + y);
	same("difference", a, b, stap_float_sub(a, b), x - y);
	same("product", a, b, stap_float_mul(a, b), x * y);
	same("quotient", a, b, stap_float_div(a, b), x / y);
	same("remainder", a, b, stap_float_rem(a, b), remainder(x, y));
	same("root", a, b, stap_float_sqrt(a), sqrt(x));
	CHECK(stap_float_eq(a, b) == (x == y));
	CHECK(stap_float_lt(a, b) == (x < y));
	CHECK(stap_float_le(a, b) == (x <= y));
}

static void check_text(struct stap_ctx *c, u64 a, int precision)
{
	u32 mark = stap_temps(c);
	char want[2048];
	struct stap_str text;

	snprintf(want, sizeof(want), "%.*f", precision, value_of(a));
	text = stap_float_to_text(c, a, precision);
	CHECK_STR(text, want);
	CHECK(!c->failed);
	same("text", a, 0, stap_float_from_text(c, stap_cstr(want)), strtod(want, NULL));
	stap_temps_release(c, mark);
	snprintf(want, sizeof(want), "%.*e", precision, value_of(a));
	same("text with exponent", a, 0, stap_float_from_text(c, stap_cstr(want)), strtod(want, NULL));
	stap_temps_release(c, mark);
}

static void check_reading(struct stap_ctx *c)
{
	static const char *const texts[] = {"1",
					    "1.5x",
					    " \t-2.25e3 ",
					    "+.5",
					    "5.",
					    "1e400",
					    "-1e-400",
					    "0.000000000000000000001e20",
					    "inf",
					    "-Infinity",
					    "1e",
					    "1e+",
					    "4.9e-324",
					    "2.4703282292062327208e-324",
					    "2.4703282292062328e-324",
					    "1.7976931348623158e308",
					    "1.7976931348623159e308",
					    "9007199254740993",
					    "9007199254740993.0000000000000000000000000000000000000001",
					    "0.1e1000000000000",
					    "00000000000000000000012.50",
					    "179769313486231580793728971405303415079934132710037826936173"};
	char digits[1200];

	for (u32 i = 0; i < STAP_ARRAY_LEN(texts); i++)
		same(texts[i], 0, 0, stap_float_from_text(c, stap_cstr(texts[i])), strtod(texts[i], NULL));
	CHECK(stap_float_from_text(c, STAP_STR("abc")) == 0 && stap_float_from_text(c, STAP_STR("")) == 0);
	CHECK(isnan(value_of(stap_float_from_text(c, STAP_STR("nan")))));
	// Exactly between two doubles but for the last digit, far behind what is kept.
	memset(digits, '0', 1100);
	memcpy(digits, "9007199254740993.", 17);
	digits[1099] = '1';
	digits[1100] = 0;
	same("late digit", 0, 0, stap_float_from_text(c, stap_cstr(digits)), strtod(digits, NULL));
}

int main(void)
{
	struct stap_ctx *c;

	unit_init(0);
	unit_run();
	c = stap_enter(&probe, &event);
	CHECK(c);
	for (u32 i = 0; i < 2 * STAP_ARRAY_LEN(awkward); i++) {
		u64 a = awkward[i / 2] | (u64)(i & 1) << 63;

		check_longs(a);
		check_text(c, a, (int)(i % 5));
		check_text(c, a, 1100);
		for (u32 k = 0; k < 2 * STAP_ARRAY_LEN(awkward); k++)
			check_pair(a, awkward[k / 2] | (u64)(k & 1) << 63);
	}
	for (int i = 0; i < RANDOM_PAIRS; i++) {
		u64 a = unit_random(), b = unit_random();

		check_pair(a, b);
		// Of about the same size, where digits cancel and quotients are near to whole numbers.
		check_pair(a,
			   (a & 0xfff0000000000000ull) + ((u64)(unit_random() % 5) << 52) + (b & 0xfffffffffffffull));
		check_pair(a, a + unit_random() % 4);
		check_longs(bits_of(ldexp((double)(a >> 11), (int)(b % 90) - 80)));
		check_single((u32)a);
	}
	for (int i = 0; i < RANDOM_TEXTS; i++) {
		u64 near_one = (0x3ffull - 64 + unit_random() % 128) << 52 | unit_random() >> 12;

		check_text(c, near_one, (int)(unit_random() % 25));
		if (i % 20 == 0)
			check_text(c, unit_random(), (int)(unit_random() % 400));
	}
	check_reading(c);
	stap_leave(c);
	stap_session_free(&stap_program);
	return 0;
}
