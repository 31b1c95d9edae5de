// SPDX-License-Identifier: GPL-2.0-or-later
// What the translator emits for the script below, written by hand: the model for emit/ and the runtime's first test.
//
//   1  global hits[2048], last = "none", sizes
//   2  global ticks = 0
//   3
//   4  function describe:string(n:long) {
//   5    text = sprintf("n=%d", n)
//   6    if (n > 2) text = text . "!"
//   7    return text
//   8  }
//   9
//  10  probe begin { printf("begin %s\n", last) }
//  11
//  12  probe timer.ms(10) {
//  13    ticks++
//  14    hits[ticks % 2 ? "odd" : "even"] += ticks
//  15    sizes <<< ticks
//  16    last = describe(ticks)
//  17    try { println(10 / (3 - ticks)) } catch (why) { printf("caught %s\n", why) }
//  18    if (ticks >= 5) exit()
//  19  }
//  20
//  21  probe end {
//  22    foreach (k in hits-) printf("%s %d\n", k, hits[k])
//  23    printf("%s, avg %d of %d\n", last, @avg(sizes), @count(sizes))
//  24  }
#include <stap.h>

#define MAXSTRINGLEN  512
#define MAXMAPENTRIES 2048

enum { PLACE_NONE, PLACE_FORMAT, PLACE_CALL, PLACE_HITS, PLACE_DIVIDE, PLACE_AVG, PLACE_ACTION_FOREACH };
static const struct stap_place places[] = {
	[PLACE_NONE] = {0},
	[PLACE_FORMAT] = {"sample.stp", 5, 10, "identifier 'sprintf'", STAP_NULL},
	[PLACE_CALL] = {"sample.stp", 16, 10, "identifier 'describe'", STAP_NULL},
	[PLACE_HITS] = {"sample.stp", 14, 3, "identifier 'hits'", STAP_NULL},
	[PLACE_DIVIDE] = {"sample.stp", 17, 20, "operator '/'", STAP_NULL},
	[PLACE_AVG] = {"sample.stp", 23, 38, "operator '@avg'", STAP_NULL},
	[PLACE_ACTION_FOREACH] = {"sample.stp", 22, 3, "keyword 'foreach'", STAP_NULL},
};

enum { FORMAT_N, FORMAT_BEGIN, FORMAT_PRINTLN, FORMAT_CAUGHT, FORMAT_PAIR, FORMAT_END };
static const struct stap_format formats[] = {
	[FORMAT_N] = {STAP_STR("n=%d"), "n", 1},        [FORMAT_BEGIN] = {STAP_STR("begin %s\n"), "s", 1},
	[FORMAT_PRINTLN] = {STAP_STR("%d\n"), "n", 1},  [FORMAT_CAUGHT] = {STAP_STR("caught %s\n"), "s", 1},
	[FORMAT_PAIR] = {STAP_STR("%s %d\n"), "sn", 2}, [FORMAT_END] = {STAP_STR("%s, avg %d of %d\n"), "snn", 3},
};

// --- globals ---------------------------------------------------------------

// global hits: long[string]
struct hits_entry {
	struct stap_map_node node;
	struct {
		u32 len;
		char data[MAXSTRINGLEN];
	} k0;
	stap_long value;
};
static const struct stap_field hits_keys[] = {{STAP_FIELD_STR, __builtin_offsetof(struct hits_entry, k0)}};
static const struct stap_map_layout hits_layout = {
	.entry_size = sizeof(struct hits_entry),
	.max_entries = MAXMAPENTRIES,
	.key_count = 1,
	.sort_slots = 1,
	.keys = hits_keys,
	.value = {STAP_FIELD_LONG, __builtin_offsetof(struct hits_entry, value)},
};
static struct stap_map hits;
static struct stap_global_str last;
static struct stap_stat sizes;
static stap_long ticks = 0;

enum { GLOBAL_HITS, GLOBAL_LAST, GLOBAL_SIZES, GLOBAL_TICKS };
static struct stap_global globals[] = {
	[GLOBAL_HITS] = {.name = "hits", .kind = STAP_GLOBAL_MAP, .object = &hits, .layout = &hits_layout},
	[GLOBAL_LAST] = {.name = "last", .kind = STAP_GLOBAL_STR, .object = &last, .initial_str = STAP_STR("none")},
	[GLOBAL_SIZES] = {.name = "sizes", .kind = STAP_GLOBAL_STAT, .object = &sizes},
	[GLOBAL_TICKS] = {.name = "ticks", .kind = STAP_GLOBAL_LONG, .object = &ticks},
};

static u64 hits_hash(struct stap_str k0)
{
	return stap_hash_str(STAP_HASH_SEED, k0);
}

// The entry of a key, or NULL.
static struct hits_entry *hits_find(u64 hash, struct stap_str k0)
{
	struct hits_entry *e = stap_map_bucket(&hits, hash);

	while (e && !(e->node.hash == (u32)hash && stap_str_eq(stap_inline_str(&e->k0.len, e->k0.data), k0)))
		e = stap_map_entry(&hits, e->node.next_in_bucket);
	return e;
}

// The entry of a key, made when it is missing; NULL with the error set when the array is full.
static struct hits_entry *hits_get(struct stap_ctx *c, struct stap_str k0)
{
	u64 hash = hits_hash(k0);
	struct hits_entry *e = hits_find(hash, k0);

	if (e)
		return e;
	e = stap_map_add(c, &hits, hash);
	if (e)
		stap_inline_str_set(&e->k0.len, e->k0.data, sizeof(e->k0.data), k0);
	return e;
}

// --- functions ---------------------------------------------------------------

// sample.stp:4: function describe:string(n:long)
static struct stap_str fn_describe(struct stap_ctx *c, stap_long l_n)
{
	struct stap_marks frame = stap_frame(c);
	struct stap_strvar l_text = {0};
	struct stap_str result = STAP_STR("");
	u32 temps;

	if (stap_call_enter(c))
		return result;
	// sample.stp:5: text = sprintf("n=%d", n)
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	temps = stap_temps(c);
	{
		union stap_arg args[] = {STAP_N(l_n)};

		c->place = PLACE_FORMAT;
		struct stap_str t0 = stap_sprintf(c, FORMAT_N, args);
		if (c->failed)
			goto out;
		stap_strvar_set(c, &l_text, t0);
		if (c->failed)
			goto out;
	}
	stap_temps_release(c, temps);
	// sample.stp:6: if (n > 2) text = text . "!"
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	if (l_n > 2) {
		temps = stap_temps(c);
		struct stap_str t0 = stap_concat(c, stap_strvar_get(&l_text), STAP_STR("!"));
		if (c->failed)
			goto out;
		stap_strvar_set(c, &l_text, t0);
		if (c->failed)
			goto out;
		stap_temps_release(c, temps);
	}
	// sample.stp:7: return text
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	result = stap_strvar_get(&l_text);
out:
	stap_call_leave(c);
	return stap_frame_return(c, frame, result);
}

// --- probes ------------------------------------------------------------------

// sample.stp:10: probe begin
static const struct stap_lock_use probe_0_locks[] = {{GLOBAL_LAST, 0}};
static void probe_0_hit(struct stap_ctx *c)
{
	u32 temps;

	// sample.stp:10: printf("begin %s\n", last)
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	temps = stap_temps(c);
	{
		union stap_arg args[] = {STAP_S(stap_global_str_get(c, &last))};

		if (c->failed)
			goto out;
		stap_printf(c, FORMAT_BEGIN, args);
		if (c->failed)
			goto out;
	}
	stap_temps_release(c, temps);
out:;
}

// sample.stp:12: probe timer.ms(10)
static const struct stap_lock_use probe_1_locks[] = {
	{GLOBAL_HITS, 1},
	{GLOBAL_LAST, 1},
	{GLOBAL_SIZES, 1},
	{GLOBAL_TICKS, 1},
};
static void probe_1_hit(struct stap_ctx *c)
{
	struct stap_strvar l_why = {0};
	u32 temps;

	// sample.stp:13: ticks++
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	ticks = stap_add(ticks, 1);
	// sample.stp:14: hits[ticks % 2 ? "odd" : "even"] += ticks
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	{
		c->place = PLACE_HITS;
		stap_long t0 = stap_mod(c, ticks, 2);
		if (c->failed)
			goto out;
		struct hits_entry *e = hits_get(c, t0 ? STAP_STR("odd") : STAP_STR("even"));
		if (!e)
			goto out;
		e->value = stap_add(e->value, ticks);
	}
	// sample.stp:15: sizes <<< ticks
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	stap_stat_add(&sizes, ticks);
	// sample.stp:16: last = describe(ticks)
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	temps = stap_temps(c);
	{
		c->place = PLACE_CALL;
		struct stap_str t0 = fn_describe(c, ticks);
		if (c->failed)
			goto out;
		stap_global_str_set(c, &last, t0);
	}
	stap_temps_release(c, temps);
	// sample.stp:17: try
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	temps = stap_temps(c);
	{
		// sample.stp:17: println(10 / (3 - ticks))
		stap_actions(c, 1);
		if (c->failed)
			goto catch_0;
		c->place = PLACE_DIVIDE;
		stap_long t0 = stap_div(c, 10, stap_sub(3, ticks));
		if (c->failed)
			goto catch_0;
		union stap_arg args[] = {STAP_N(t0)};
		stap_printf(c, FORMAT_PRINTLN, args);
		if (c->failed)
			goto catch_0;
	}
	goto after_0;
catch_0:
	stap_temps_release(c, temps); // what the failed statements left behind
	{
		struct stap_str t0 = stap_catch(c);
		if (c->failed)
			goto out;
		stap_strvar_set(c, &l_why, t0);
		if (c->failed)
			goto out;
		stap_temps_release(c, temps);
		// sample.stp:17: printf("caught %s\n", why)
		stap_actions(c, 1);
		if (c->failed)
			goto out;
		union stap_arg args[] = {STAP_S(stap_strvar_get(&l_why))};
		stap_printf(c, FORMAT_CAUGHT, args);
		if (c->failed)
			goto out;
	}
after_0:
	stap_temps_release(c, temps);
	// sample.stp:18: if (ticks >= 5) exit()
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	if (ticks >= 5)
		stap_exit(c);
out:;
}

// sample.stp:21: probe end
// Sorting writes the array's order: exclusive.
static const struct stap_lock_use probe_2_locks[] = {{GLOBAL_HITS, 1}, {GLOBAL_LAST, 0}, {GLOBAL_SIZES, 0}};
static void probe_2_hit(struct stap_ctx *c)
{
	struct stap_strvar l_k = {0};
	u32 temps;

	// sample.stp:22: foreach (k in hits-)
	{
		u32 count_0 =
			stap_map_sort(c, &hits, 0, &(struct stap_sort_order){STAP_SORT_VALUE, STAP_STAT_COUNT, -1}, -1);

		for (u32 i_0 = 0; i_0 < count_0; i_0++) {
			struct hits_entry *e_0 = stap_map_sorted(&hits, 0, i_0);

			c->place = PLACE_ACTION_FOREACH;
			stap_actions(c, 1);
			if (c->failed)
				goto out;
			stap_strvar_set(c, &l_k, stap_inline_str(&e_0->k0.len, e_0->k0.data));
			if (c->failed)
				goto out;
			// sample.stp:22: printf("%s %d\n", k, hits[k])
			stap_actions(c, 1);
			if (c->failed)
				goto out;
			struct stap_str t0 = stap_strvar_get(&l_k);
			struct hits_entry *t1 = hits_find(hits_hash(t0), t0);
			union stap_arg args[] = {STAP_S(t0), STAP_N(t1 ? t1->value : 0)};
			stap_printf(c, FORMAT_PAIR, args);
			if (c->failed)
				goto out;
		}
	}
	// sample.stp:23: printf("%s, avg %d of %d\n", last, @avg(sizes), @count(sizes))
	stap_actions(c, 1);
	if (c->failed)
		goto out;
	temps = stap_temps(c);
	{
		struct stap_str t0 = stap_global_str_get(c, &last);
		if (c->failed)
			goto out;
		c->place = PLACE_AVG;
		stap_long t1 = stap_stat_avg(c, &sizes);
		if (c->failed)
			goto out;
		union stap_arg args[] = {STAP_S(t0), STAP_N(t1), STAP_N(stap_stat_count(&sizes))};
		stap_printf(c, FORMAT_END, args);
		if (c->failed)
			goto out;
	}
	stap_temps_release(c, temps);
out:;
}

static struct stap_probe probes[] = {
	{
		.point = "begin",
		.place = "sample.stp:10:1",
		.hit = probe_0_hit,
		.locks = probe_0_locks,
		.lock_count = STAP_ARRAY_LEN(probe_0_locks),
		.index = 0,
		.attach = {.kind = STAP_ATTACH_BEGIN},
	},
	{
		.point = "timer.ms(10)",
		.place = "sample.stp:12:1",
		.hit = probe_1_hit,
		.locks = probe_1_locks,
		.lock_count = STAP_ARRAY_LEN(probe_1_locks),
		.index = 1,
		.attach = {.kind = STAP_ATTACH_TIMER, .timer.interval_ns = 10000000},
	},
	{
		.point = "end",
		.place = "sample.stp:21:1",
		.hit = probe_2_hit,
		.locks = probe_2_locks,
		.lock_count = STAP_ARRAY_LEN(probe_2_locks),
		.index = 2,
		.attach = {.kind = STAP_ATTACH_END},
	},
};

struct stap_program stap_program = {
	.abi_version = STAP_ABI_VERSION,
	.name = "stap_sample",
	.limits =
		{
			.max_string_len = MAXSTRINGLEN,
			.max_action = 1000,
			.max_action_interruptible = 10000,
			.max_try_lock = 100,
			.try_lock_delay_us = 10,
			.max_nesting = 4,
			.max_errors = 0,
			.max_skipped = 100,
			.min_stack_space = 1024,
			.overload_interval = 1000000000,
			.overload_threshold = 500000000,
			.arena_size = 16384,
		},
	.probes = probes,
	.probe_count = STAP_ARRAY_LEN(probes),
	.globals = globals,
	.global_count = STAP_ARRAY_LEN(globals),
	.formats = formats,
	.format_count = STAP_ARRAY_LEN(formats),
	.places = places,
	.place_count = STAP_ARRAY_LEN(places),
};
