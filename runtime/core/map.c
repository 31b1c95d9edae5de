// SPDX-License-Identifier: GPL-2.0-or-later
// Associative arrays: a fixed block of entries, hash buckets, order of first insertion, eviction.
//
// Entries are named by index + 1 (0 is "none"). A free entry is on the free list through
// node.next; entries never used yet are on that list too, linked when the script starts.
#include "core.h"

#define BYTES_PER_STEP 128 // of memory that is cleared

static struct stap_map_node *node_at(const struct stap_map *m, u32 index_plus_1)
{
	return stap_map_entry(m, index_plus_1);
}

static u32 index_of(const struct stap_map *m, const void *entry)
{
	return (u32)(((u64)((const char *)entry - m->entries)) / m->layout->entry_size) + 1;
}

static u64 buckets_for(u32 entries)
{
	u64 n = 8;

	while (n < entries)
		n *= 2;
	return n;
}

int stap_map_init(struct stap_map *m, const struct stap_map_layout *layout, const char *name)
{
	u64 n = layout->max_entries;

	m->layout = layout;
	m->name = name;
	m->count = m->first = m->last = m->free = 0;
	m->iterations = STAP_NULL;
	m->removals = 0;
	m->bucket_mask = (u32)buckets_for(layout->max_entries) - 1;
	m->buckets = host_alloc(((u64)m->bucket_mask + 1) * sizeof(u32));
	m->entries = host_alloc(n * layout->entry_size + 8);
	m->order = host_alloc(((u64)layout->sort_slots + 1) * n * sizeof(u32) + 8);
	m->removed_at = layout->marks_removals ? host_alloc(n * sizeof(u64) + 8) : STAP_NULL;
	if (!m->buckets || !m->entries || !m->order || (layout->marks_removals && !m->removed_at)) {
		stap_map_free(m);
		return -STAP_ENOMEM;
	}
	for (u32 i = layout->max_entries; i > 0; i--) {
		node_at(m, i)->next = m->free;
		m->free = i;
	}
	return 0;
}

void stap_map_free(struct stap_map *m)
{
	u64 n;

	if (!m->layout)
		return;
	n = m->layout->max_entries;
	if (m->buckets)
		host_free(m->buckets, ((u64)m->bucket_mask + 1) * sizeof(u32));
	if (m->entries)
		host_free(m->entries, n * m->layout->entry_size + 8);
	if (m->order)
		host_free(m->order, ((u64)m->layout->sort_slots + 1) * n * sizeof(u32) + 8);
	if (m->removed_at)
		host_free(m->removed_at, n * sizeof(u64) + 8);
	m->buckets = STAP_NULL;
	m->entries = STAP_NULL;
	m->order = STAP_NULL;
	m->removed_at = STAP_NULL;
}

void *stap_map_add(struct stap_ctx *c, struct stap_map *m, u64 hash)
{
	struct stap_map_node *node;
	u32 index, *bucket;

	if (STAP_UNLIKELY(!m->free)) {
		if (!m->layout->wraps || !m->first) {
			stap_fail_cstr(c, m->layout->overflow ? m->layout->overflow
							      : "Array overflow, check MAXMAPENTRIES");
			return STAP_NULL;
		}
		stap_map_remove(m, node_at(m, m->first));
	}
	index = m->free;
	node = node_at(m, index);
	m->free = node->next;
	mem_zero(node, m->layout->entry_size);
	node->hash = (u32)hash;
	bucket = &m->buckets[hash & m->bucket_mask];
	node->next_in_bucket = *bucket;
	*bucket = index;
	node->prev = m->last;
	if (m->last)
		node_at(m, m->last)->next = index;
	else
		m->first = index;
	m->last = index;
	m->count++;
	return node;
}

// Loops over the array that are running must not stand on an entry that is removed. Its place in a walk is its
// predecessor's; sorted loops pass over it.
static void leave_entry(struct stap_map *m, u32 index, u32 prev)
{
	m->removals++;
	if (m->removed_at)
		m->removed_at[index - 1] = m->removals;
	for (struct stap_iteration *it = m->iterations; it; it = it->outer) {
		if (it->sorted)
			continue;
		if (it->at == index)
			it->at = prev;
		if (it->end == index)
			it->end = prev;
	}
}

void stap_map_remove(struct stap_map *m, void *entry)
{
	struct stap_map_node *node = entry;
	u32 index = index_of(m, entry);
	u32 *link = &m->buckets[node->hash & m->bucket_mask];

	while (*link && *link != index)
		link = &node_at(m, *link)->next_in_bucket;
	if (*link != index)
		return; // not in the array
	if (STAP_UNLIKELY(m->iterations != STAP_NULL))
		leave_entry(m, index, node->prev);
	*link = node->next_in_bucket;
	if (node->prev)
		node_at(m, node->prev)->next = node->next;
	else
		m->first = node->next;
	if (node->next)
		node_at(m, node->next)->prev = node->prev;
	else
		m->last = node->prev;
	node->next = m->free;
	m->free = index;
	m->count--;
}

// The list of used entries is put in front of the free list as it is, whatever its length; only emptying the buckets
// takes time.
void stap_map_clear(struct stap_ctx *c, struct stap_map *m)
{
	const u64 bytes = ((u64)m->bucket_mask + 1) * sizeof(u32);
	const int is_sparse = (u64)m->count * 8 < m->bucket_mask;

	if (!m->count || stap_spend_steps(c, is_sparse ? m->count : bytes / BYTES_PER_STEP))
		return;
	for (struct stap_iteration *it = m->iterations; it; it = it->outer)
		it->at = it->end = 0;
	if (is_sparse) {
		for (u32 i = m->first; i; i = node_at(m, i)->next)
			m->buckets[node_at(m, i)->hash & m->bucket_mask] = 0;
	} else {
		mem_zero(m->buckets, bytes);
	}
	node_at(m, m->last)->next = m->free;
	m->free = m->first;
	m->count = m->first = m->last = 0;
}

// --- loops whose body may change the array -----------------------------------

static void begin(struct stap_iteration *it, struct stap_map *m)
{
	it->map = m;
	it->outer = m->iterations;
	m->iterations = it;
}

void stap_iteration_begin(struct stap_iteration *it, struct stap_map *m)
{
	it->sorted = 0;
	it->at = 0;
	it->end = m->last;
	begin(it, m);
}

void stap_iteration_sort(struct stap_ctx *c, struct stap_iteration *it, struct stap_map *m, u32 slot,
			 const struct stap_sort_order *order, stap_long limit)
{
	it->sorted = 1;
	it->at = 0;
	it->slot = slot;
	it->end = 0;
	it->removals = m->removals;
	for (struct stap_iteration *outer = m->iterations; outer; outer = outer->outer)
		if (outer->sorted && outer->slot == slot)
			stap_fail_cstr(c, "a sorted foreach runs again within itself");
	if (!c->failed)
		it->end = stap_map_sort(c, m, slot, order, limit);
	begin(it, m);
}

void *stap_iteration_next(struct stap_iteration *it)
{
	struct stap_map *m = it->map;

	if (!it->sorted) {
		if (it->at == it->end)
			return STAP_NULL;
		it->at = it->at ? node_at(m, it->at)->next : m->first;
		return node_at(m, it->at);
	}
	while (it->at < it->end) {
		const u32 index = m->order[(u64)it->slot * m->layout->max_entries + it->at++];

		if (m->removed_at[index] <= it->removals)
			return node_at(m, index + 1);
	}
	return STAP_NULL;
}

void stap_iteration_end(struct stap_iteration *it)
{
	it->map->iterations = it->outer;
}
