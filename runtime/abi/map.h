// SPDX-License-Identifier: GPL-2.0-or-later
// Aggregates, global strings and associative arrays: the parts shared by emitted code and the core.
//
// An array's entry is a C structure made for its key and value types:
//
//   // global bytes: long[string, long]
//   struct bytes_entry {
//           struct stap_map_node node;
//           struct { u32 len; char data[MAXSTRINGLEN]; } k0;
//           stap_long k1;
//           stap_long value;
//   };
//
// Emitted code hashes, walks one bucket's chain and compares keys inline; the
// core allocates entries from a block sized MAXMAPENTRIES (or the declared
// size), keeps them in order of first insertion, evicts the oldest of a `%`
// array, sorts, clears. Entries are never freed to the system while the script runs.
#ifndef STAP_ABI_MAP_H
#define STAP_ABI_MAP_H

#include "context.h"

// --- aggregates ----------------------------------------------------------

struct stap_histogram { // how a stats value's histogram is laid out; NULL: none is asked for
	u32 kind;       // STAP_HIST_LINEAR or STAP_HIST_LOG
	stap_long low, high, step;
	u32 buckets; // linear: below low, (high-low)/step+1 of `step` each, what is beyond; log: STAP_HIST_LOG_BUCKETS
};
#define STAP_HIST_LINEAR      1
#define STAP_HIST_LOG         2
#define STAP_HIST_LOG_BUCKETS 128

// Followed in memory by `buckets` stap_longs when the variable has a histogram.
struct stap_stat {
	stap_long count, sum, min, max;
	// What @variance needs besides, kept by stap_stat_add_variance() only: all bits of the sum, and of the
	// squares'.
	s64 sum_high;
	u64 squares[3]; // the lowest bits first
};

// v <<< value. Nothing can fail; sums wrap.
static inline void stap_stat_add(struct stap_stat *s, stap_long v)
{
	if (s->count == 0 || v < s->min)
		s->min = v;
	if (s->count == 0 || v > s->max)
		s->max = v;
	s->count++;
	s->sum = stap_add(s->sum, v);
}
void stap_stat_add_variance(struct stap_stat *s, stap_long v);
void stap_stat_add_histogram(struct stap_stat *s, const struct stap_histogram *h, stap_long v);
// Readers. @min @max @avg @variance of nothing is the error "empty aggregate"; @count and @sum are 0.
static inline stap_long stap_stat_count(const struct stap_stat *s)
{
	return s ? s->count : 0;
}
static inline stap_long stap_stat_sum(const struct stap_stat *s)
{
	return s ? s->sum : 0;
}
stap_long stap_stat_min(struct stap_ctx *c, const struct stap_stat *s);
stap_long stap_stat_max(struct stap_ctx *c, const struct stap_stat *s);
stap_long stap_stat_avg(struct stap_ctx *c, const struct stap_stat *s);
stap_long stap_stat_variance(struct stap_ctx *c, const struct stap_stat *s);

// How many values fell into a bucket: 0 is below a linear histogram's range, 1 its first bucket; 64 is a logarithmic
// one's zero. Errors: "histogram index out of range", "empty aggregate".
stap_long stap_histogram_bucket(struct stap_ctx *c, const struct stap_stat *s, const struct stap_histogram *h,
				stap_long bucket);

// foreach over a histogram by what its buckets hold: the numbers of the buckets, one a call, -1 behind the last. Where
// counts are equal the lower number comes first. The caller sets `direction`, +1 rising or -1 falling, and zeroes the
// rest.
struct stap_bucket_order {
	int direction, begun;
	stap_long key, bucket; // of the last one
};
stap_long stap_histogram_next(const struct stap_stat *s, const struct stap_histogram *h,
			      struct stap_bucket_order *order);

// --- global strings --------------------------------------------------------

// Storage of MAXSTRINGLEN bytes, allocated when the script starts.
struct stap_global_str {
	u32 len;
	u32 cap;
	char *data;
};
// A copy as a temporary: the global may change while the value is in use.
struct stap_str stap_global_str_get(struct stap_ctx *c, const struct stap_global_str *g);
void stap_global_str_set(struct stap_ctx *c, struct stap_global_str *g, struct stap_str s);
// The same for a string inside an entry: {u32 len; char data[cap]}.
static inline struct stap_str stap_inline_str(const u32 *len, const char *data)
{
	return (struct stap_str){data, *len};
}
// Copies s into an entry's storage, cut at cap - 1 on a UTF-8 boundary.
void stap_inline_str_set(u32 *len, char *data, u32 cap, struct stap_str s);

// --- arrays ----------------------------------------------------------------

struct stap_map_node {
	u32 next_in_bucket; // entry index + 1, 0: end
	u32 hash;
	u32 next, prev; // order of first insertion, index + 1; free list through next
};

enum stap_field_type { STAP_FIELD_LONG, STAP_FIELD_STR, STAP_FIELD_STAT };

struct stap_field {
	u32 type;   // enum stap_field_type
	u32 offset; // in the entry
};

// What the core needs to know of an array; constant, emitted.
struct stap_map_layout {
	u32 entry_size;  // a multiple of 8, the histogram's buckets included
	u32 max_entries; // MAXMAPENTRIES or the declared size
	u32 key_count;
	u32 wraps;            // `%`: a full array evicts its oldest entry
	const char *overflow; // what an addition to the full array fails with; NULL names MAXMAPENTRIES
	u32 sort_slots;       // how many sorted foreach loops may be nested over this array
	u32 marks_removals;   // what a sorted loop over it calls may remove entries
	const struct stap_field *keys;
	struct stap_field value;
	const struct stap_histogram *histogram;
};

struct stap_map {
	const struct stap_map_layout *layout;
	const char *name;
	char *entries; // max_entries * entry_size
	u32 *buckets;  // index + 1 of the first entry
	u32 bucket_mask;
	u32 count;       // entries in use
	u32 first, last; // order of first insertion, index + 1
	u32 free;
	u32 *order;                        // sort_slots + 1 arrays of max_entries indexes
	struct stap_iteration *iterations; // the innermost of the running loops whose body may change the array
	u64 removals;                      // how many entries were removed while there were such loops
	u64 *removed_at;                   // [max_entries] `removals` at an entry's last removal; NULL: not needed
};

#define STAP_HASH_SEED 0x9e3779b97f4a7c15ull
static inline u64 stap_hash_long(u64 h, stap_long v)
{
	h ^= (u64)v;
	h *= 0xff51afd7ed558ccdull;
	return h ^ (h >> 32);
}
u64 stap_hash_str(u64 h, struct stap_str s);

static inline void *stap_map_entry(const struct stap_map *m, u32 index_plus_1)
{
	return index_plus_1 ? m->entries + (u64)(index_plus_1 - 1) * m->layout->entry_size : STAP_NULL;
}
// First entry of the hash's bucket; the next in the bucket is stap_map_entry(m, e->node.next_in_bucket).
static inline void *stap_map_bucket(const struct stap_map *m, u64 hash)
{
	return stap_map_entry(m, m->buckets[hash & m->bucket_mask]);
}
// In order of insertion: NULL ends.
static inline void *stap_map_first(const struct stap_map *m)
{
	return stap_map_entry(m, m->first);
}
static inline void *stap_map_next(const struct stap_map *m, const void *entry)
{
	return stap_map_entry(m, ((const struct stap_map_node *)entry)->next);
}
// A new, zeroed, linked entry whose keys the caller fills in. A full array is the error
// the layout's overflow message (NULL), or evicts its oldest when it wraps.
void *stap_map_add(struct stap_ctx *c, struct stap_map *m, u64 hash);
void stap_map_remove(struct stap_map *m, void *entry);
void stap_map_clear(struct stap_ctx *c, struct stap_map *m); // fails when out of actions
static inline stap_long stap_map_count(const struct stap_map *m)
{
	return m->count;
}

enum stap_sort_by { STAP_SORT_VALUE = -1, /* 0.. : that key */ };
enum stap_stat_op { STAP_STAT_COUNT, STAP_STAT_SUM, STAP_STAT_MIN, STAP_STAT_MAX, STAP_STAT_AVG, STAP_STAT_VARIANCE };
struct stap_sort_order {
	s32 by;                    // a key's number, or STAP_SORT_VALUE
	enum stap_stat_op stat_op; // what of a value that is an aggregate
	s32 direction;             // 1 ascending, -1 descending
};
// Sorts into slot `slot`; equal elements keep the order of first insertion. Returns how many entries a loop visits: the
// count, or `limit` when that is smaller (and >= 0). Spends actions while it works; 0 when it failed.
u32 stap_map_sort(struct stap_ctx *c, struct stap_map *m, u32 slot, const struct stap_sort_order *order,
		  stap_long limit);
static inline void *stap_map_sorted(const struct stap_map *m, u32 slot, u32 i)
{
	return stap_map_entry(m, m->order[(u64)slot * m->layout->max_entries + i] + 1);
}

// A loop whose body may change the array, through a function that it calls. It visits the entries that were there when
// it began and still are. Declared with the attribute cleanup(stap_iteration_end), since loops are left in many ways.
// The array is locked for writing.
struct stap_iteration {
	struct stap_map *map;
	struct stap_iteration *outer; // the loop around it over the same array
	u32 sorted;
	u32 slot;     // sorted: whose order it is
	u32 at, end;  // positions in that order; or the entries visited last and to visit last, index + 1, 0: none
	u64 removals; // sorted: of the array when the loop began
};
void stap_iteration_begin(struct stap_iteration *it, struct stap_map *m);
void stap_iteration_sort(struct stap_ctx *c, struct stap_iteration *it, struct stap_map *m, u32 slot,
			 const struct stap_sort_order *order, stap_long limit);
void *stap_iteration_next(struct stap_iteration *it); // NULL ends
void stap_iteration_end(struct stap_iteration *it);

#endif
