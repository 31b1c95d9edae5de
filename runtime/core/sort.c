// SPDX-License-Identifier: GPL-2.0-or-later
// Sorted foreach: a stable bottom-up merge sort of entry indexes, without recursion and without moving entries.
#include "core.h"

struct sort_by {
	const struct stap_map *map;
	struct stap_field field;
	enum stap_stat_op op;
	s32 direction;
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

// Merges the runs from[low, middle) and from[middle, high) into to[low, high).
static void merge(const struct sort_by *by, const u32 *from, u32 *to, u32 low, u32 middle, u32 high)
{
	u32 left = low, right = middle;

	for (u32 i = low; i < high; i++) {
		if (left < middle && (right >= high || compare(by, from[left], from[right]) <= 0))
			to[i] = from[left++];
		else
			to[i] = from[right++];
	}
}

u32 stap_map_sort(struct stap_map *m, u32 slot, s32 by, enum stap_stat_op stat_op, s32 direction, stap_long limit)
{
	const struct stap_map_layout *l = m->layout;
	struct sort_by order = {m, by < 0 ? l->value : l->keys[by], stat_op, direction};
	u32 *result, *from, *to, n = 0;

	if (slot >= l->sort_slots || by >= (s32)l->key_count)
		return 0;
	result = m->order + (u64)slot * l->max_entries;
	from = result;
	to = m->order + (u64)l->sort_slots * l->max_entries;
	for (u32 i = m->first; i && n < m->count; i = ((struct stap_map_node *)stap_map_entry(m, i))->next)
		from[n++] = i - 1;
	for (u64 width = 1; width < n; width *= 2) {
		for (u64 low = 0; low < n; low += 2 * width) {
			u64 middle = low + width < n ? low + width : n;
			u64 high = low + 2 * width < n ? low + 2 * width : n;

			merge(&order, from, to, (u32)low, (u32)middle, (u32)high);
		}
		u32 *swap = from;

		from = to;
		to = swap;
	}
	if (from != result)
		mem_copy(result, from, (u64)n * sizeof(u32));
	return limit >= 0 && limit < n ? (u32)limit : n;
}
