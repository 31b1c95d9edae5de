// SPDX-License-Identifier: GPL-2.0-or-later
// Says by which mechanism each probe is attached (struct stap_shm_way).
#include <stdlib.h>
#include <string.h>

#include "staprun.h"

#define PROBES_NAMED 20 // of each mechanism

// The probes' ways, [shm->probe_count]; NULL: they don't lie in the shared area.
static const struct stap_shm_way *ways_of(const struct stap_shm *shm, unsigned long long size)
{
	const u64 offset = shm->ways_offset;

	if (offset > size || shm->probe_count > (size - offset) / sizeof(struct stap_shm_way))
		return NULL;
	return (const struct stap_shm_way *)((const char *)shm + offset);
}

static int by_text(const void *a, const void *b)
{
	const struct stap_shm_way *const *x = a, *const *y = b;
	const int order = strncmp((*x)->text, (*y)->text, sizeof((*x)->text));

	return order ? order : (*x > *y) - (*x < *y);
}

static int same(const struct stap_shm_way *a, const struct stap_shm_way *b)
{
	return !strncmp(a->text, b->text, sizeof(a->text));
}

// "STATUS: by ftrace: 2 probes", and which they are.
static void report_way(FILE *to, const char *word, const struct stap_shm_way *all, const struct stap_shm_way **list,
		       u32 count, const struct relay *relay, int names)
{
	fprintf(to, "%s: by %.*s: %u probe%s\n", word, (int)sizeof(all->text), list[0]->text, count,
		count == 1 ? "" : "s");
	for (u32 i = 0; names && i < count && i < PROBES_NAMED; i++) {
		struct stap_str point = relay_probe(relay, (u32)(list[i] - all));

		fprintf(to, "%s:   %.*s\n", word, (int)point.len, point.ptr);
	}
	if (names && count > PROBES_NAMED)
		fprintf(to, "%s:   and %u more\n", word, count - PROBES_NAMED);
}

void report_ways(FILE *to, const char *word, const struct script *s, const struct relay *relay, int names)
{
	const struct stap_shm_way *all = ways_of(s->shm, s->shm_size), **list;
	u32 count = s->shm->probe_count, n = 0, end;

	list = all ? calloc((size_t)count + 1, sizeof(*list)) : NULL;
	for (u32 i = 0; list && i < count; i++)
		if (all[i].text[0])
			list[n++] = &all[i];
	if (n)
		qsort(list, n, sizeof(*list), by_text);
	for (u32 i = 0; i < n; i = end) {
		for (end = i; end < n && same(list[i], list[end]);)
			end++;
		report_way(to, word, all, list + i, end - i, relay, names);
	}
	free(list);
}
