// SPDX-License-Identifier: GPL-2.0-or-later
// Arrays against a naive model: random operations, order of insertion, eviction, overflow, sorting and its stability.
#include "unit.h"

#define ENTRIES 37

struct entry {
	struct stap_map_node node;
	struct {
		u32 len;
		char data[16];
	} k0;
	stap_long k1;
	stap_long value;
};
static const struct stap_field keys[] = {{STAP_FIELD_STR, __builtin_offsetof(struct entry, k0)},
					 {STAP_FIELD_LONG, __builtin_offsetof(struct entry, k1)}};
static struct stap_map_layout layout = {
	.entry_size = sizeof(struct entry),
	.max_entries = ENTRIES,
	.key_count = 2,
	.sort_slots = 2,
	.keys = keys,
	.value = {STAP_FIELD_LONG, __builtin_offsetof(struct entry, value)},
};
static struct stap_map map;
static struct stap_global globals[] = {{.name = "map", .kind = STAP_GLOBAL_MAP, .object = &map, .layout = &layout}};
static struct stap_event event;
static struct stap_probe probe = {.point = "timer", .attach = {.kind = STAP_ATTACH_TIMER}};
UNIT_PROGRAM(.probes = &probe, .probe_count = 1, .globals = globals, .global_count = 1);

// The model: an array in order of insertion.
static struct {
	char k0[16];
	stap_long k1, value;
} model[ENTRIES];
static u32 model_count;

static u64 hash(const char *k0, stap_long k1)
{
	// Few different hashes, so that chains are long.
	return stap_hash_long(stap_hash_str(stap_hash_seed, stap_cstr(k0)), k1) & 7;
}

static struct entry *find(const char *k0, stap_long k1)
{
	struct entry *e = stap_map_bucket(&map, hash(k0, k1));

	while (e && !(e->k1 == k1 && stap_str_eq(stap_inline_str(&e->k0.len, e->k0.data), stap_cstr(k0))))
		e = stap_map_entry(&map, e->node.next_in_bucket);
	return e;
}

static int model_find(const char *k0, stap_long k1)
{
	for (u32 i = 0; i < model_count; i++)
		if (model[i].k1 == k1 && !strcmp(model[i].k0, k0))
			return (int)i;
	return -1;
}

static void model_remove(u32 at)
{
	memmove(&model[at], &model[at + 1], (model_count - at - 1) * sizeof(model[0]));
	model_count--;
}

static void compare(void)
{
	struct entry *e = stap_map_first(&map);

	CHECK(stap_map_count(&map) == model_count);
	for (u32 i = 0; i < model_count; i++, e = stap_map_next(&map, e)) {
		CHECK(e && e->k1 == model[i].k1 && e->value == model[i].value);
		CHECK_STR(stap_inline_str(&e->k0.len, e->k0.data), model[i].k0);
		CHECK(find(model[i].k0, model[i].k1) == e);
	}
	CHECK(!e);
}

static void add(struct stap_ctx *c, const char *k0, stap_long k1)
{
	int at = model_find(k0, k1);
	struct entry *e = find(k0, k1);

	CHECK((at >= 0) == (e != NULL));
	if (e) {
		e->value++;
		model[at].value++;
		return;
	}
	e = stap_map_add(c, &map, hash(k0, k1));
	if (!e) {
		CHECK(model_count == ENTRIES && !layout.wraps && c->failed);
		CHECK_STR(stap_catch(c), "Array overflow, check MAXMAPENTRIES");
		return;
	}
	if (model_count == ENTRIES) {
		CHECK(layout.wraps);
		model_remove(0);
	}
	CHECK(e->value == 0);
	stap_inline_str_set(&e->k0.len, e->k0.data, sizeof(e->k0.data), stap_cstr(k0));
	e->k1 = k1;
	e->value = (stap_long)(unit_random() % 10);
	strcpy(model[model_count].k0, k0);
	model[model_count].k1 = k1;
	model[model_count++].value = e->value;
}

static void random_operations(struct stap_ctx *c)
{
	char k0[16];

	for (int i = 0; i < 20000; i++) {
		stap_long k1 = (stap_long)(unit_random() % 8);
		u32 mark = stap_temps(c);
		struct entry *e;

		snprintf(k0, sizeof(k0), "k%llu", unit_random() % 9);
		switch (unit_random() % 20) {
		case 0:
			stap_map_clear(c, &map);
			model_count = 0;
			break;
		case 1:
		case 2:
		case 3:
		case 4:
		case 5:
			e = find(k0, k1);
			if (e) {
				model_remove((u32)model_find(k0, k1));
				stap_map_remove(&map, e);
			}
			break;
		default: add(c, k0, k1);
		}
		stap_temps_release(c, mark);
		if (i % 16 == 0)
			compare();
	}
	compare();
}

// Sorted order must be a permutation, ordered, and keep the order of insertion among equals.
static void check_sorted(struct stap_ctx *c, s32 by, s32 direction, stap_long limit)
{
	const struct stap_sort_order sort = {by, STAP_STAT_COUNT, direction};
	u32 position[ENTRIES], n;
	struct entry *last = NULL, *e;

	c->budget = 1000;
	n = stap_map_sort(c, &map, 1, &sort, limit);
	CHECK(n == (limit >= 0 && limit < model_count ? limit : model_count));
	e = stap_map_first(&map);
	for (u32 i = 0; i < model_count; i++, e = stap_map_next(&map, e))
		position[(u32)(((char *)e - map.entries) / sizeof(*e))] = i;
	for (u32 i = 0; i < n; i++, last = e) {
		stap_long order;

		e = stap_map_sorted(&map, 1, i);
		if (!last)
			continue;
		order = by < 0    ? (last->value > e->value) - (last->value < e->value)
			: by == 1 ? (last->k1 > e->k1) - (last->k1 < e->k1)
				  : stap_str_cmp(stap_inline_str(&last->k0.len, last->k0.data),
						 stap_inline_str(&e->k0.len, e->k0.data));
		CHECK(order * direction <= 0);
		if (order == 0)
			CHECK(position[(u32)(((char *)last - map.entries) / sizeof(*e))] <
			      position[(u32)(((char *)e - map.entries) / sizeof(*e))]);
	}
}

static void sorting(struct stap_ctx *c)
{
	char k0[16];

	stap_map_clear(c, &map);
	model_count = 0;
	check_sorted(c, -1, 1, -1); // of nothing
	for (int i = 0; i < ENTRIES; i++) {
		snprintf(k0, sizeof(k0), "k%llu", unit_random() % 5);
		add(c, k0, i % 7 * (i % 2 ? 1 : -1));
		for (s32 by = -1; by < 2; by++)
			for (s32 direction = -1; direction < 2; direction += 2)
				for (stap_long limit = -1; limit < 6; limit += 3)
					check_sorted(c, by, direction, limit);
	}
}

// Keys that differ in their highest bits only fall into different buckets. Random numbers leave 37 % of 1024 buckets
// empty.
static void high_bits(void)
{
	u32 buckets = 0;

	for (u32 run = 0; run < 64; run++) {
		unsigned char used[1024] = {0};

		stap_hash_seed = unit_random();
		stap_hash_factor = unit_random() | 1;
		for (u64 i = 0; i < 1024; i++)
			used[stap_hash_long(stap_hash_seed, (stap_long)(i << 54)) % 1024] = 1;
		for (u32 i = 0; i < 1024; i++)
			buckets += used[i];
	}
	CHECK(buckets / 64 > 500);
}

int main(void)
{
	struct stap_ctx *c;
	u64 last_seed = 0;

	for (u32 wraps = 0; wraps < 2; wraps++) {
		layout.wraps = wraps;
		unit_init(0);
		unit_run();
		c = stap_enter(&probe, &event);
		CHECK(c);
		CHECK(stap_hash_seed != last_seed);
		last_seed = stap_hash_seed;
		model_count = 0;
		random_operations(c);
		sorting(c);
		stap_leave(c);
		stap_session_free(&stap_program);
	}
	high_bits();
	return 0;
}
