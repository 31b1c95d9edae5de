// SPDX-License-Identifier: GPL-2.0-or-later
// Strings, arithmetic, errors and budgets of a context: arena, frames, UTF-8 cuts, try/catch, nesting.
#include "unit.h"

static const struct stap_place places[] = {{0}, {"x.stp", 1, 20, "operator '/'", STAP_NULL}};
static const struct stap_format formats[] = {{STAP_STR("%s-%d"), "sn", 2}, {STAP_STR("%.4M"), "n", 1}};
static struct stap_event event;
static struct stap_probe probe = {.point = "timer", .attach = {.kind = STAP_ATTACH_TIMER}};
UNIT_PROGRAM(.probes = &probe, .probe_count = 1, .places = places, .place_count = 2, .formats = formats,
	     .format_count = 2);

static void cuts(void)
{
	const char *s = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"; // 1, 2, 3 and 4 bytes

	CHECK(stap_utf8_cut(s, 10, 10) == 10 && stap_utf8_cut(s, 10, 9) == 6 && stap_utf8_cut(s, 10, 7) == 6);
	CHECK(stap_utf8_cut(s, 10, 6) == 6 && stap_utf8_cut(s, 10, 5) == 3 && stap_utf8_cut(s, 10, 4) == 3);
	CHECK(stap_utf8_cut(s, 10, 2) == 1 && stap_utf8_cut(s, 10, 0) == 0);
	CHECK(stap_utf8_cut("\x80\x80\x80\x80\x80\x80", 6, 5) == 5); // not UTF-8: bytes
}

static void arena(struct stap_ctx *c)
{
	struct stap_marks frame = stap_frame(c), inner;
	struct stap_strvar v = {0}, w = {0};
	struct stap_str s;
	char longer[200];

	memset(longer, 'x', sizeof(longer));
	CHECK_STR(stap_strvar_get(&v), "");
	stap_strvar_set(c, &v, STAP_STR("hello"));
	CHECK_STR(stap_strvar_get(&v), "hello");
	s = stap_concat(c, stap_strvar_get(&v), STAP_STR(" world"));
	CHECK_STR(s, "hello world");
	stap_strvar_set(c, &v, s);
	stap_strvar_set(c, &w, stap_strvar_get(&v));
	// a slice of itself, moved
	stap_strvar_set(c, &v, (struct stap_str){v.ptr + 6, 5});
	CHECK_STR(stap_strvar_get(&v), "world");
	for (int i = 0; i < 100; i++) { // growth of two variables side by side is bounded
		stap_strvar_set(c, &v, (struct stap_str){longer, (u32)i * 2});
		stap_strvar_set(c, &w, (struct stap_str){longer, (u32)i * 2});
		CHECK(!c->failed);
	}
	CHECK(v.len == 63 && c->arena_low - frame.low < 600); // MAXSTRINGLEN - 1
	CHECK(stap_concat(c, (struct stap_str){longer, 60}, STAP_STR("abcdef")).len == 63);

	// a function's result outlives its frame, wherever it is
	inner = stap_frame(c);
	w = (struct stap_strvar){0};
	stap_strvar_set(c, &w, STAP_STR("local"));
	s = stap_frame_return(c, inner, stap_strvar_get(&w));
	CHECK_STR(s, "local");
	inner = stap_frame(c);
	s = stap_frame_return(c, inner, stap_concat(c, STAP_STR("a temp"), STAP_STR("orary")));
	CHECK_STR(s, "a temporary");
	CHECK(s.ptr == c->arena + c->arena_high);
	stap_frame_release(c, frame);
	CHECK(c->arena_low == 0 && c->arena_high == c->arena_size);

	while (!c->failed)
		stap_temp_alloc(c, 100);
	CHECK_STR(((struct stap_str){c->error, c->error_len}), "out of memory for strings in this probe");
	stap_frame_release(c, frame);
	stap_catch(c);
	CHECK(!c->failed);
}

// A text that is too long is cut at MAXSTRINGLEN - 1, wherever the room ends; what lies behind the room stays as it is.
static void format_room(struct stap_ctx *c)
{
	const u32 max = UNIT_MAX_STRING - 1;
	char longer[200];
	const union stap_arg args[] = {{.s = {longer, sizeof(longer)}}, {.n = 7}};

	memset(longer, 'x', sizeof(longer));
	for (u32 room = max - 1; room < max + 3; room++) {
		u32 mark = stap_temps(c), used = c->arena_high - c->arena_low - room;
		char *behind = stap_temp_alloc(c, used);
		struct stap_str s;

		CHECK(behind && c->arena_high - c->arena_low == room);
		*behind = '!';
		s = stap_sprintf(c, 0, args);
		CHECK(*behind == '!');
		if (room <= max)
			CHECK_STR(stap_catch(c), "out of memory for strings in this probe");
		else
			CHECK(!c->failed && s.len == max);
		stap_temps_release(c, mark);
	}
}

static void errors(struct stap_ctx *c)
{
	union stap_arg args[] = {STAP_S(STAP_STR("n")), STAP_N(7)}, bad[] = {STAP_N(8)};

	c->place = 1;
	CHECK(stap_div(c, 7, 0) == 0 && c->failed);
	stap_fail_cstr(c, "a second error changes nothing");
	CHECK_STR(stap_catch(c), "division by 0");
	CHECK(!c->failed);
	CHECK(stap_div(c, (stap_long)(1ull << 63), -1) == (stap_long)(1ull << 63) &&
	      stap_mod(c, (stap_long)(1ull << 63), -1) == 0);
	CHECK(stap_div(c, -7, 2) == -3 && stap_mod(c, -7, 2) == -1 && !c->failed);
	stap_mod(c, 1, 0);
	CHECK_STR(stap_catch(c), "division by 0");
	stap_fail_script(c, STAP_STR("my own"));
	CHECK_STR(stap_catch(c), "my own");
	CHECK(stap_kread(c, 8, 8, 0) == 0 && c->failed);
	CHECK_STR(stap_catch(c), "kernel read fault at 0x8 (addr)");
	CHECK_STR(stap_sprintf(c, 0, args), "n-7");
	CHECK_STR(stap_sprintf(c, 1, bad), "");
	CHECK_STR(stap_catch(c), "kernel read fault at 0x8 (addr)");
	stap_reg(c, 0);
	CHECK(c->failed);
	stap_catch(c);
	for (int i = 0; i < 5; i++)
		CHECK(!stap_call_enter(c));
	CHECK(stap_call_enter(c) && c->failed);
	CHECK_STR(stap_catch(c), "MAXNESTING exceeded");
	stap_actions(c, 1000);
	CHECK(!c->failed);
	stap_actions(c, 1);
	CHECK(c->failed);
	stap_catch(c);
	CHECK(c->failed); // can't be caught
}

static void reads(struct stap_ctx *c)
{
	static const char text[] =
		"a string that is longer than sixty-four bytes, so that it is read in several pieces";
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	s32 minus = -2;

	CHECK(page != MAP_FAILED && !mprotect(page + 4096, 4096, PROT_NONE));
	memcpy(page + 4093, "ab", 3);
	CHECK_STR(stap_kread_str(c, (u64)(unsigned long)page + 4093, 0), "ab"); // ends just before the bad page
	CHECK(stap_kread_str(c, (u64)(unsigned long)text, 0).len == 63);
	CHECK_STR(stap_kread_str(c, (u64)(unsigned long)text, 8), "a string");
	CHECK(stap_kread(c, (u64)(unsigned long)&minus, 4, 1) == -2 &&
	      stap_kread(c, (u64)(unsigned long)&minus, 4, 0) == 0xfffffffe);
	CHECK(!c->failed);
	page[4095] = 'x';
	stap_uread_str(c, (u64)(unsigned long)page + 4093, 0);
	CHECK(c->failed);
	stap_catch(c);
	munmap(page, 8192);
	CHECK(stap_bits(0xf5, 4, 4, 0) == 15 && stap_bits(0xf5, 4, 4, 1) == -1);
}

static void variance(struct stap_ctx *c)
{
	struct stap_stat s = {0}, t = {0};

	stap_stat_avg(c, &s);
	CHECK(c->failed);
	stap_catch(c);
	for (stap_long i = 1; i <= 5; i++) {
		stap_stat_add_variance(&s, i);
		stap_stat_add_variance(&t, i % 2 ? 0x7fffffffffffffff : -0x7fffffffffffffff - 1);
	}
	CHECK(stap_stat_variance(c, &s) == 2); // 2.5
	// Two kinds of numbers that are 2^64 - 1 apart, three and two of them: 5 * 4 * variance = 6 * (2^64 - 1)^2.
	CHECK(t.sum_high == 0 && t.sum == 0x7ffffffffffffffd);
	CHECK((u64)stap_stat_variance(c, &t) == 0x3333333333333333); // modulo 2^64: 10 * this + 5 = 3
	CHECK(stap_stat_avg(c, &s) == 3 && stap_stat_min(c, &s) == 1 && stap_stat_max(c, &s) == 5 &&
	      stap_stat_sum(&s) == 15);
}

int main(void)
{
	struct stap_ctx *c;

	cuts();
	unit_init(0);
	unit_run();
	c = stap_enter(&probe, &event);
	CHECK(c);
	arena(c);
	reads(c);
	format_room(c);
	variance(c);
	errors(c);
	c->failed = 0;
	stap_leave(c);
	stap_session_free(&stap_program);
	return 0;
}
