// SPDX-License-Identifier: GPL-2.0-or-later
// Hits that did not run their handler: how many, why, and at which probes most.
#include <stdlib.h>
#include <string.h>

#include "staprun.h"

#define PROBES_NAMED 5 // of each list; with -v all

static const char *const reasons[STAP_SKIP_REASONS] = {
	[STAP_SKIP_NESTED] = "reentrancy",
	[STAP_SKIP_LOCK] = "lock contention (MAXTRYLOCK)",
	[STAP_SKIP_STACK] = "low stack (MINSTACKSPACE)",
	[STAP_SKIP_CONTEXT] = "no free context",
	[STAP_SKIP_MISSED] = "missed by the probe mechanism",
	[STAP_SKIP_ACTIVE] = "too many calls at once (KRETACTIVE)",
	[STAP_SKIP_REPORT] = "globals locked by a timer that goes over whole arrays",
	[STAP_SKIP_OVERRUN] = "timer overrun",
};

struct skips {
	u32 probe;
	u64 hits[STAP_SKIP_REASONS];
	u64 sum; // of them, but for timer overruns
};

// Adds up the tables there are, [shm->probe_count]; free() the result. NULL: they don't lie in the shared area.
static struct skips *read_skips(const struct stap_shm *shm, u64 size, u32 *count)
{
	const u64 offset = shm->skips_offset, stride = shm->skips_stride, addresses = shm->ring_addresses_offset;
	const u64 table_bytes = (u64)shm->probe_count * STAP_SKIP_COLUMNS * sizeof(u64);
	const u32 tables = shm->skips_count, probes = shm->probe_count;
	const u64 *rings = (const u64 *)((const char *)shm + addresses);
	struct skips *sums;

	if (!tables || tables > shm->ring_count || addresses > size || addresses % sizeof(u64) ||
	    tables > (size - addresses) / sizeof(u64))
		return NULL;
	if (offset % sizeof(u64) || stride % sizeof(u64) || table_bytes > stride || offset > size ||
	    table_bytes > size - offset || (tables > 1 && stride > (size - offset - table_bytes) / (tables - 1)))
		return NULL;
	sums = calloc((size_t)probes + 1, sizeof(*sums));
	if (!sums)
		return NULL;
	for (u32 i = 0; i < probes; i++) {
		sums[i].probe = i;
		for (u32 why = 0; why < STAP_SKIP_REASONS; why++) {
			for (u32 t = 0; t < tables; t++) {
				const u64 *table = (const u64 *)((const char *)shm + offset + t * stride);

				if (!__atomic_load_n(&rings[t], __ATOMIC_ACQUIRE))
					continue;
				sums[i].hits[why] +=
					__atomic_load_n(&table[(u64)i * STAP_SKIP_COLUMNS + why], __ATOMIC_RELAXED);
			}
			if (why != STAP_SKIP_OVERRUN)
				sums[i].sum += sums[i].hits[why];
		}
	}
	*count = probes;
	return sums;
}

// "reentrancy: 12, no free context: 3"
static void format_reasons(const struct skips *s, char *text, size_t size)
{
	size_t used = 0;

	text[0] = 0;
	for (u32 why = 0; why < STAP_SKIP_OVERRUN; why++)
		if (s->hits[why] && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s: %llu", used ? ", " : "", reasons[why],
						 (unsigned long long)s->hits[why]);
}

static int more_skipped(const void *a, const void *b)
{
	const struct skips *x = a, *y = b;

	return x->sum != y->sum ? (x->sum < y->sum ? 1 : -1) : (x->probe > y->probe) - (x->probe < y->probe);
}

static int more_overruns(const void *a, const void *b)
{
	const u64 x = ((const struct skips *)a)->hits[STAP_SKIP_OVERRUN];
	const u64 y = ((const struct skips *)b)->hits[STAP_SKIP_OVERRUN];

	return (x < y) - (x > y);
}

// Where the lines of a report go, and the word before each.
struct report {
	FILE *to;
	const char *word;
};

static void report_probes(const struct report *r, struct skips *list, u32 count, const struct relay *relay, u32 named)
{
	char text[512];
	u32 i;

	qsort(list, count, sizeof(*list), more_skipped);
	for (i = 0; i < count && list[i].sum && i < named; i++) {
		struct stap_str point = relay_probe(relay, list[i].probe);

		format_reasons(&list[i], text, sizeof(text));
		fprintf(r->to, "%s: Skipped at %.*s: %s\n", r->word, (int)point.len, point.ptr, text);
	}
	for (named = i; i < count && list[i].sum; i++)
		;
	if (i > named)
		fprintf(r->to, "%s: Skipped at %u more probes; staprun -v names them\n", r->word, i - named);
}

static void report_overruns(const struct report *r, struct skips *list, u32 count, const struct relay *relay, u32 named)
{
	u32 i;

	qsort(list, count, sizeof(*list), more_overruns);
	for (i = 0; i < count && list[i].hits[STAP_SKIP_OVERRUN] && i < named; i++) {
		struct stap_str point = relay_probe(relay, list[i].probe);

		fprintf(r->to, "%s: Late timer: %.*s was due %llu times more than it was hit\n", r->word,
			(int)point.len, point.ptr, (unsigned long long)list[i].hits[STAP_SKIP_OVERRUN]);
	}
}

void report_skipped(FILE *to, const char *word, const struct stap_shm *shm, unsigned long long size,
		    const struct relay *relay, int all)
{
	const struct report report = {to, word};
	u32 count = 0, errors = shm->error_count, named = all ? ~0u : PROBES_NAMED;
	struct skips *list = read_skips(shm, size, &count), total = {0};
	char text[512];

	for (u32 i = 0; list && i < count; i++) {
		for (u32 why = 0; why < STAP_SKIP_REASONS; why++)
			total.hits[why] += list[i].hits[why];
		total.sum += list[i].sum;
	}
	if (errors || total.sum)
		fprintf(to, "%s: Number of errors: %u, skipped probes: %llu\n", word, errors,
			(unsigned long long)total.sum);
	if (total.sum) {
		format_reasons(&total, text, sizeof(text));
		fprintf(to, "%s: Skipped due to %s\n", word, text);
		report_probes(&report, list, count, relay, named);
	}
	if (list)
		report_overruns(&report, list, count, relay, named);
	free(list);
}
