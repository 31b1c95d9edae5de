// SPDX-License-Identifier: GPL-2.0-or-later
// Sorted foreach, stable, without recursion and without moving entries: a bottom-up merge sort of all entries' indexes,
// or a heap of the first few. A step is spent for each entry that is moved or compared.
#include "core.h"

struct sort_by {
	struct stap_ctx *c;
	const struct stap_map *map;
	struct stap_field field;
	enum stap_stat_op op;
	s32 direction;
	u32 steps;
};

static stap_long stat_value(const struct stap_stat *s, enum stap_stat_op op)
{
	switch (op) {
	case STAP_STAT_COUNT: return s->count;
	case STAP_STAT_SUM: return s->sum;
	case STAP_STAT_MIN: return s->min;
	case STAP_STAT_MAX: return s->max;
	case STAP_STAT_AVG: return s->count ? s->sum / s->count : 0;
	case STAP_STAT_VARIANCE: return stap_stat_variance(STAP_NULL, s);
	}
	return 0;
}

// Negative when entry `a` comes before entry `b` in the order that the loop wants, 0 when neither does.
static int compare(const struct sort_by *by, u32 a, u32 b)
{
	const char *at_a = by->map->entries + (u64)a * by->map->layout->entry_size + by->field.offset;
	const char *at_b = by->map->entries + (u64)b * by->map->layout->entry_size + by->field.offset;
	stap_long na, nb;

	if (by->field.type == STAP_FIELD_STR) {
		// {u32 len; char data[]}
		int order = stap_str_cmp(stap_inline_str((const u32 *)at_a, at_a + sizeof(u32)),
					 stap_inline_str((const u32 *)at_b, at_b + sizeof(u32)));

		return by->direction < 0 ? -order : order;
	}
	if (by->field.type == STAP_FIELD_STAT) {
		na = stat_value((const struct stap_stat *)at_a, by->op);
		nb = stat_value((const struct stap_stat *)at_b, by->op);
	} else {
		na = *(const stap_long *)at_a;
		nb = *(const stap_long *)at_b;
	}
	if (na == nb)
		return 0;
	return (na < nb) == (by->direction > 0) ? -1 : 1;
}

static u32 next_of(const struct stap_map *m, u32 index_plus_1)
{
	return ((struct stap_map_node *)stap_map_entry(m, index_plus_1))->next;
}

// --- all entries ---------------------------------------------------------------

// Merges the runs from[low, middle) and from[middle, high) into to[low, high). Nonzero: out of actions.
static int merge(struct sort_by *by, const u32 *from, u32 *to, u32 low, u32 middle, u32 high)
{
	u32 left = low, right = middle;

	for (u32 i = low; i < high; i++) {
		if (stap_step(by->c, &by->steps))
			return -1;
		if (left < middle && (right >= high || compare(by, from[left], from[right]) <= 0))
			to[i] = from[left++];
		else
			to[i] = from[right++];
	}
	return 0;
}

static u32 sort_all(struct sort_by *by, u32 *result, u32 *scratch)
{
	const struct stap_map *m = by->map;
	u32 *from = result, *to = scratch, n = 0;

	for (u32 i = m->first; i && n < m->count; i = next_of(m, i)) {
		if (stap_step(by->c, &by->steps))
			return 0;
		from[n++] = i - 1;
	}
	for (u64 width = 1; width < n; width *= 2) {
		for (u64 low = 0; low < n; low += 2 * width) {
			u64 middle = low + width < n ? low + width : n;
			u64 high = low + 2 * width < n ? low + 2 * width : n;

			if (merge(by, from, to, (u32)low, (u32)middle, (u32)high))
				return 0;
		}
		u32 *swap = from;

		from = to;
		to = swap;
	}
	if (from != result)
		mem_copy(result, from, (u64)n * sizeof(u32));
	return n;
}

// --- the first few ---------------------------------------------------------------

// The best entries so far, the worst of them on top. Entries that compare equal are told apart by their position in the
// order of insertion.
struct heap {
	u32 *index, *position;
	u32 size;
};

static int is_worse(const struct sort_by *by, const struct heap *h, u32 a, u32 b)
{
	int order = compare(by, h->index[a], h->index[b]);

	return order > 0 || (order == 0 && h->position[a] > h->position[b]);
}

static void swap(struct heap *h, u32 a, u32 b)
{
	u32 index = h->index[a], position = h->position[a];

	h->index[a] = h->index[b];
	h->position[a] = h->position[b];
	h->index[b] = index;
	h->position[b] = position;
}

// Moves an element down to where none below it is worse. Nonzero: out of actions.
static int sink(struct sort_by *by, struct heap *h, u64 at)
{
	for (;;) {
		u64 worst = at;

		if (stap_step(by->c, &by->steps))
			return -1;
		for (u64 child = 2 * at + 1; child <= 2 * at + 2 && child < h->size; child++)
			if (is_worse(by, h, (u32)child, (u32)worst))
				worst = child;
		if (worst == at)
			return 0;
		swap(h, (u32)at, (u32)worst);
		at = worst;
	}
}

static u32 sort_first(struct sort_by *by, u32 *result, u32 *scratch, u32 limit)
{
	const struct stap_map *m = by->map;
	struct heap h = {result, scratch, 0};
	u32 position = 0;

	for (u32 i = m->first; i; i = next_of(m, i), position++) {
		if (stap_step(by->c, &by->steps))
			return 0;
		if (position < limit) {
			h.index[position] = i - 1;
			h.position[position] = position;
			h.size++;
			for (u32 at = limit / 2; h.size == limit && at > 0; at--)
				if (sink(by, &h, at - 1))
					return 0;
		} else if (compare(by, i - 1, h.index[0]) < 0) {
			h.index[0] = i - 1;
			h.position[0] = position;
			if (sink(by, &h, 0))
				return 0;
		}
	}
	while (h.size > 1) {
		swap(&h, 0, --h.size);
		if (sink(by, &h, 0))
			return 0;
	}
	return limit;
}

u32 stap_map_sort(struct stap_ctx *c, struct stap_map *m, u32 slot, const struct stap_sort_order *order,
		  stap_long limit)
{
	const struct stap_map_layout *l = m->layout;
	struct sort_by by = {c, m, order->by < 0 ? l->value : l->keys[order->by], order->stat_op, order->direction, 0};
	u32 *result, *scratch, n;

	if (slot >= l->sort_slots || order->by >= (s32)l->key_count || !limit)
		return 0;
	result = m->order + (u64)slot * l->max_entries;
	scratch = m->order + (u64)l->sort_slots * l->max_entries;
	if (limit > 0 && limit < m->count / 8)
		return sort_first(&by, result, scratch, (u32)limit);
	n = sort_all(&by, result, scratch);
	return limit >= 0 && limit < n ? (u32)limit : n;
}
