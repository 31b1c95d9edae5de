// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the per-CPU rings in place and delivers their records in time order, each exactly once.
//
// The merge by time. Each ring is in time order by itself: only one handler at a time runs on a CPU, and all records
// that it writes in one run bear the time stamp that was taken for the first of them. So the record to deliver next is
// the oldest of the rings' first records, but only once no older one can still come: then it is called ripe. There are
// three handlers that could still bring an older record:
//
//  - A handler that has taken its stamp, but not yet published all of its records. It has announced the stamp in the
//    ring's `active` word, and no record that is younger than the smallest announced stamp is ripe. The records of the
//    handler with that smallest stamp are ripe themselves, so that a begin probe may write more than its ring holds
//    while we read along.
//  - A handler that is just taking its stamp. It stored 1 in `active` before it looked at the clock. Nothing at all is
//    ripe until the 1 is replaced, which is a matter of nanoseconds.
//  - A handler that starts after we looked. If the clocks of the CPUs agreed, its stamp would be younger than the time
//    at which we began to look. They may differ a little, so that records are ripe only when they are older than this
//    time less SLACK_NS. The time compared is that of the clock the stamps come from: in a time namespace our own clock
//    differs from it by a constant.
//
// The order of looking matters: first at the clock, then for each ring at `active` and only then at its head. If
// `active` was 0, the handler had published its records before it cleared the word, so reading the head afterwards sees
// them all.
//
// A ring can come while we read, with a CPU. It exists before the first handler runs there, so a ring that we did not
// see gets no record with an older stamp than the time at which we began to look. A producer on a ring that we don't
// know takes us for sleeping and wakes us.
//
// The records of one run stay together even if another CPU's records bear the same stamp: a ring is read until its next
// record is younger than the first one of every other ring.
//
// Nothing in the shared memory is trusted. A length or an offset that does not fit the ring is reported and ends the
// reading of that ring.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "staprun.h"

#define SLACK_NS 100000ull
#define PAGE     4096u

struct ring {
	struct stap_ring_writer *writer; // NULL: the ring does not exist (yet)
	struct stap_ring_reader *reader;
	const char *data;
	u64 tail, head; // head as last seen
	struct stap_record next;
	int has_next;
	int corrupt;
	u64 delivered;
};

struct reader {
	u32 ring_count, ring_size;
	u64 sleeps;
	u64 clock_ahead_ns;  // of the stamps' clock to now_ns(), modulo 2^64
	u64 limit;           // records with an older stamp are ripe, see the top of the file
	struct ring *holder; // its running handler's stamp is the limit: its own records are ripe, too
	char *parts;         // the rings, `stride` bytes apart
	u64 stride;
	const u64 *addresses; // of the rings; what is 0 does not exist
	struct ring rings[];
};

unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

// Returns NULL when the layout is sound, else what is wrong with it. It is checked on a private copy, which the script
// can no longer change.
static const char *check_layout(const struct stap_shm *shm, u64 size)
{
	if (size < sizeof(*shm) || shm->magic != STAP_SHM_MAGIC)
		return "this is not a script's shared memory";
	if (shm->version != STAP_SHM_VERSION)
		return "the script was built for another version of staprun";
	if (!shm->ring_count || shm->ring_count > 65536 || shm->ring_size < PAGE ||
	    (shm->ring_size & (shm->ring_size - 1)))
		return "the rings' layout is corrupt";
	if (shm->ring_stride < STAP_RING_DATA_OFFSET + (u64)shm->ring_size || (shm->ring_stride & 7) ||
	    (shm->rings_offset & 7))
		return "the rings' layout is corrupt";
	if (shm->rings_offset > size || shm->ring_stride > (size - shm->rings_offset) / shm->ring_count)
		return "the rings are larger than the shared memory";
	if (shm->ring_addresses_offset % sizeof(u64) || shm->ring_addresses_offset > size ||
	    shm->ring_count > (size - shm->ring_addresses_offset) / sizeof(u64))
		return "the table of rings is corrupt";
	return NULL;
}

struct reader *reader_create(struct stap_shm *shm, unsigned long long size, const char **problem)
{
	struct stap_shm layout;
	struct reader *r;

	if (size < sizeof(layout)) {
		*problem = "the shared memory is too small";
		return NULL;
	}
	memcpy(&layout, shm, sizeof(layout));
	*problem = check_layout(&layout, size);
	if (*problem)
		return NULL;
	r = calloc(1, sizeof(*r) + layout.ring_count * sizeof(struct ring));
	if (!r) {
		*problem = "out of memory";
		return NULL;
	}
	r->ring_count = layout.ring_count;
	r->ring_size = layout.ring_size;
	r->parts = (char *)shm + layout.rings_offset;
	r->stride = layout.ring_stride;
	r->addresses = (const u64 *)((const char *)shm + layout.ring_addresses_offset);
	return r;
}

// Does the ring exist? It may have come since the last time.
static int exists(struct reader *r, u32 i)
{
	struct ring *ring = &r->rings[i];
	char *at = r->parts + r->stride * i;

	if (ring->writer)
		return 1;
	if (!__atomic_load_n(&r->addresses[i], __ATOMIC_ACQUIRE))
		return 0;
	ring->writer = (struct stap_ring_writer *)at;
	ring->reader = (struct stap_ring_reader *)(at + PAGE);
	ring->data = at + STAP_RING_DATA_OFFSET;
	return 1;
}

void reader_set_clock(struct reader *r, long long ahead_ns)
{
	r->clock_ahead_ns = (u64)ahead_ns;
}

void reader_destroy(struct reader *r)
{
	free(r);
}

// "cpu 3"; the last ring belongs to no CPU.
static const char *ring_name(const struct reader *r, u32 index, char *buffer, size_t size)
{
	if (index + 1 == r->ring_count)
		return "begin and end probes, reports";
	snprintf(buffer, size, "cpu %u", index);
	return buffer;
}

static void give_up(struct reader *r, struct ring *ring, const char *why)
{
	char name[32];

	error("corrupt record of %s at byte %llu: %s", ring_name(r, (u32)(ring - r->rings), name, sizeof(name)),
	      (unsigned long long)ring->tail, why);
	ring->corrupt = 1;
	ring->has_next = 0;
}

// Finds the next record after `tail`, stepping over padding.
static void look_ahead(struct reader *r, struct ring *ring)
{
	ring->has_next = 0;
	while (!ring->corrupt && ring->tail != ring->head) {
		u64 available = ring->head - ring->tail;
		u32 at = (u32)(ring->tail & (r->ring_size - 1));
		u64 contiguous = r->ring_size - at, rounded;
		u64 header = available < sizeof(ring->next) ? 8 : sizeof(ring->next);

		if (header > contiguous)
			header = 8;
		memset(&ring->next, 0, sizeof(ring->next));
		memcpy(&ring->next, ring->data + at, header);
		rounded = ((u64)ring->next.length + 7) & ~7ull;
		if (rounded < 8 || rounded > available || rounded > contiguous) {
			give_up(r, ring, "its length does not fit");
			return;
		}
		if (stap_record_kind(&ring->next) != STAP_RECORD_PAD) {
			if (ring->next.length < sizeof(ring->next)) {
				give_up(r, ring, "it is shorter than a header");
				return;
			}
			ring->has_next = 1;
			return;
		}
		ring->tail += rounded;
	}
}

static void refresh_head(struct reader *r, struct ring *ring)
{
	u64 head = __atomic_load_n(&ring->writer->head, __ATOMIC_ACQUIRE);

	if (ring->corrupt || head == ring->head)
		return;
	if (head - ring->tail > r->ring_size || (head & 7) || head - ring->tail < ring->head - ring->tail) {
		give_up(r, ring, "the writer's position makes no sense");
		return;
	}
	ring->head = head;
	if (!ring->has_next)
		look_ahead(r, ring);
}

// Looks at every ring and finds out which records are ripe; see the top of the file.
static void look_at_rings(struct reader *r, int final)
{
	u64 active;

	r->limit = now_ns() + r->clock_ahead_ns - SLACK_NS;
	r->holder = NULL;
	for (u32 i = 0; i < r->ring_count; i++) {
		if (!exists(r, i))
			continue;
		active = __atomic_load_n(&r->rings[i].writer->active, __ATOMIC_ACQUIRE);
		if (active && !r->rings[i].corrupt && active < r->limit) {
			r->limit = active;
			r->holder = &r->rings[i];
		}
		refresh_head(r, &r->rings[i]);
	}
	if (final)
		r->limit = ~0ull;
}

static int is_ripe(const struct reader *r, const struct ring *ring)
{
	return ring->next.time_ns < r->limit || (ring == r->holder && ring->next.time_ns == r->limit) ||
	       r->limit == ~0ull;
}

static void deliver(struct reader *r, struct ring *ring, record_sink *sink, void *data)
{
	u32 at = (u32)(ring->tail & (r->ring_size - 1));
	u32 length = ring->next.length - (u32)sizeof(ring->next);

	ring->delivered += stap_record_kind(&ring->next) != STAP_RECORD_LOST;
	sink(data, &ring->next, (unsigned)(ring - r->rings), ring->data + at + sizeof(ring->next), length);
	ring->tail += ((u64)ring->next.length + 7) & ~7ull;
	look_ahead(r, ring);
}

// Returns the ring whose first record is the oldest, and in *second the oldest stamp of the other rings' first records.
static struct ring *oldest(struct reader *r, u64 *second)
{
	struct ring *first = NULL;

	*second = ~0ull;
	for (u32 i = 0; i < r->ring_count; i++) {
		struct ring *ring = &r->rings[i];

		if (!ring->has_next)
			continue;
		if (!first || ring->next.time_ns < first->next.time_ns) {
			if (first)
				*second = first->next.time_ns;
			first = ring;
		} else if (ring->next.time_ns < *second) {
			*second = ring->next.time_ns;
		}
	}
	return first;
}

static void publish_tail(struct ring *ring)
{
	__atomic_store_n(&ring->reader->tail, ring->tail, __ATOMIC_RELEASE);
}

struct reader_progress reader_drain(struct reader *r, int final, record_sink *sink, void *data)
{
	struct reader_progress p = {0};
	u64 second, in_a_row;
	struct ring *ring;

	look_at_rings(r, final);
	for (u32 i = 0; i < r->ring_count; i++)
		if (r->rings[i].head - r->rings[i].tail > r->ring_size / 4)
			p.nearly_full = 1;
	while ((ring = oldest(r, &second)) && is_ripe(r, ring)) {
		in_a_row = 0;
		do {
			deliver(r, ring, sink, data);
			p.records++;
			if (++in_a_row % 64 == 0)
				publish_tail(ring); // gives room back to the writer early
		} while (ring->has_next && ring->next.time_ns <= second && is_ripe(r, ring));
		publish_tail(ring);
	}
	for (u32 i = 0; i < r->ring_count; i++)
		if (r->rings[i].writer)
			publish_tail(&r->rings[i]);
	p.pending = ring != NULL;
	return p;
}

void reader_sleep(struct reader *r)
{
	r->sleeps++;
	for (u32 i = 0; i < r->ring_count; i++)
		if (exists(r, i))
			__atomic_store_n(&r->rings[i].reader->waiting, r->sleeps, __ATOMIC_RELAXED);
	// The caller looks at the heads once more after this, while a producer first publishes its head and then looks
	// at `waiting`. With the fence between them at least one of the two sees the other, so no wake-up is lost.
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void reader_awake(struct reader *r)
{
	for (u32 i = 0; i < r->ring_count; i++)
		if (r->rings[i].writer)
			__atomic_store_n(&r->rings[i].reader->waiting, 0, __ATOMIC_RELAXED);
}

int reader_has_data(struct reader *r)
{
	for (u32 i = 0; i < r->ring_count; i++)
		if (exists(r, i) && !r->rings[i].corrupt &&
		    __atomic_load_n(&r->rings[i].writer->head, __ATOMIC_ACQUIRE) != r->rings[i].tail)
			return 1;
	return 0;
}

struct reader_totals reader_account(struct reader *r)
{
	struct reader_totals t = {.exact = 1};

	for (u32 i = 0; i < r->ring_count; i++) {
		if (!exists(r, i))
			continue;
		u64 produced = __atomic_load_n(&r->rings[i].writer->produced, __ATOMIC_ACQUIRE);
		u64 lost = __atomic_load_n(&r->rings[i].writer->lost, __ATOMIC_ACQUIRE);

		t.produced += produced;
		t.lost += lost;
		t.delivered += r->rings[i].delivered;
		t.corrupt += (unsigned)r->rings[i].corrupt;
		if (produced != lost + r->rings[i].delivered)
			t.exact = 0;
	}
	return t;
}

void reader_lost_per_cpu(struct reader *r, char *text, size_t size)
{
	size_t used = 0;
	char name[32];

	text[0] = 0;
	for (u32 i = 0; i < r->ring_count && used + 1 < size; i++) {
		u64 lost = exists(r, i) ? __atomic_load_n(&r->rings[i].writer->lost, __ATOMIC_ACQUIRE) : 0;

		if (lost)
			used += (size_t)snprintf(text + used, size - used, "%s%s: %llu", used ? "; " : "",
						 ring_name(r, i, name, sizeof(name)), (unsigned long long)lost);
	}
}
