// SPDX-License-Identifier: GPL-2.0-or-later
// The producer's side of a CPU's ring: reserve, fill in, commit; what does not fit is counted. See abi/record.h.
#include "core.h"

#define READER_PATIENCE_NS 1000000000ull
#define KEPT_FOR_ERRORS    4096u // bytes of a ring that only errors and their traces may fill

void stap_ring_init(struct stap_ring *r, struct stap_ring_writer *w, struct stap_ring_reader *reader, char *data,
		    u32 size)
{
	mem_zero(r, sizeof(*r));
	r->given_up = ~0ull;
	r->writer = w;
	r->reader = reader;
	r->data = data;
	r->size = size;
	r->limit = size - (size / 8 < KEPT_FOR_ERRORS ? size / 8 : KEPT_FOR_ERRORS);
	r->room = r->limit;
}

static u64 record_size(u64 payload)
{
	return (sizeof(struct stap_record) + payload + 7) & ~7ull;
}

static int is_urgent(u32 kind_and_probe)
{
	const u32 kind = kind_and_probe & 0xff;

	return kind == STAP_RECORD_ERROR || kind == STAP_RECORD_TRACE;
}

// Are `wanted` bytes free when `room` of the ring may be in use? A tail that can't be (the reader's page may hold
// anything) keeps the last good one.
static int fits(struct stap_ring *r, u64 wanted, u64 room)
{
	u64 tail;

	if (r->head - r->tail + wanted <= room)
		return 1;
	tail = stap_load(&r->reader->tail);
	if (tail - r->tail <= r->head - r->tail && (tail & 7) == 0)
		r->tail = tail;
	return r->head - r->tail + wanted <= room;
}

// Bytes at `head` that have to be skipped, since a record of `need` bytes does not fit before the ring's end.
static u64 padding(const struct stap_ring *r, u64 head, u64 need)
{
	u64 left = r->size - (head & (r->size - 1));

	return need > left ? left : 0;
}

// The header of a record at the ring's head, after `pad` bytes to be skipped.
static struct stap_record *put_header(struct stap_ring *r, u64 pad, u32 kind_and_probe, u64 payload, u64 time_ns)
{
	struct stap_record *record;

	if (pad) {
		record = (struct stap_record *)(r->data + (r->head & (r->size - 1)));
		record->length = (u32)pad;
		record->kind_and_probe = stap_kind_and_probe(STAP_RECORD_PAD, STAP_NO_PROBE);
		r->head += pad;
	}
	record = (struct stap_record *)(r->data + (r->head & (r->size - 1)));
	record->length = (u32)(sizeof(*record) + payload);
	record->kind_and_probe = kind_and_probe;
	record->time_ns = time_ns;
	return record;
}

static void count_lost(struct stap_ring *r, u32 records)
{
	r->lost += records;
	r->unmarked += records;
	r->room = 0; // the next record finds none, and comes here
	__atomic_store_n(&r->writer->lost, r->lost, __ATOMIC_RELAXED);
}

// A record of `need` bytes found no room: after losses there may be some, and the place is marked first; errors have
// more. Returns whether the record fits now.
static int __attribute__((__noinline__)) make_room(struct stap_ring *r, u32 kind_and_probe, u64 need, u64 time_ns)
{
	const struct stap_record_lost lost = {.records = r->unmarked};
	const u64 mark = lost.records ? record_size(sizeof(lost)) : 0;
	u64 pad = padding(r, r->head, mark), wanted = pad + mark;
	struct stap_record *record;

	wanted += padding(r, r->head + wanted, need) + need;
	if (!fits(r, wanted, is_urgent(kind_and_probe) ? r->size : r->limit)) {
		count_lost(r, 1);
		return 0;
	}
	if (mark) {
		record =
			put_header(r, pad, stap_kind_and_probe(STAP_RECORD_LOST, STAP_NO_PROBE), sizeof(lost), time_ns);
		__builtin_memcpy(record + 1, &lost, sizeof(lost));
		r->head += mark; // seen by the reader together with the record
	}
	r->unmarked = 0;
	r->room = r->limit;
	return 1;
}

char *stap_ring_reserve(struct stap_ring *r, u32 kind_and_probe, u64 payload, u64 time_ns)
{
	u64 need = record_size(payload), pad;

	r->writing = 1; // an NMI may have written until here
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	pad = padding(r, r->head, need);
	if (STAP_UNLIKELY(r->lost_in_nmi))
		stap_ring_settle(r);
	__atomic_store_n(&r->writer->produced, ++r->produced, __ATOMIC_RELAXED);
	if (STAP_UNLIKELY(!fits(r, need + pad, r->room))) {
		if (!make_room(r, kind_and_probe, need, time_ns)) {
			__atomic_signal_fence(__ATOMIC_SEQ_CST);
			r->writing = 0;
			return STAP_NULL;
		}
		pad = padding(r, r->head, need);
	}
	return (char *)(put_header(r, pad, kind_and_probe, payload, time_ns) + 1);
}

void stap_ring_shorten(char *to, u64 payload)
{
	struct stap_record *record = (struct stap_record *)to - 1;

	record->length = (u32)(sizeof(*record) + payload);
}

void stap_ring_commit(struct stap_ring *r, u64 payload)
{
	r->head += record_size(payload);
	stap_store(&r->writer->head, r->head);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	r->writing = 0;
}

void stap_ring_settle(struct stap_ring *r)
{
	u32 lost = __atomic_exchange_n(&r->lost_in_nmi, 0, __ATOMIC_RELAXED);

	if (!lost)
		return;
	r->produced += lost;
	__atomic_store_n(&r->writer->produced, r->produced, __ATOMIC_RELAXED);
	count_lost(r, lost);
}

int stap_ring_is_full(struct stap_ring *r, u64 payload)
{
	// The place of losses may have to be marked, and the end of the ring skipped.
	u64 need = 2 * (record_size(payload) + record_size(sizeof(struct stap_record_lost)));

	return need <= r->limit && !fits(r, need, r->limit);
}

void stap_ring_wait(struct stap_ring *r, u64 payload)
{
	u64 end = host_clock_ns() + READER_PATIENCE_NS, tail = r->tail;

	while (stap_ring_is_full(r, payload)) {
		u64 now = host_clock_ns();

		if (r->tail != tail) {
			tail = r->tail;
			end = now + READER_PATIENCE_NS;
		}
		if (tail == r->given_up || now > end || host_wait_for_reader()) {
			r->given_up = tail;
			return;
		}
	}
	r->given_up = ~0ull;
}

int stap_ring_wants_wake(struct stap_ring *r)
{
	u64 waiting;

	// The new head must be visible before `waiting` is looked at: the reader sets it, then looks at the head.
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	waiting = __atomic_load_n(&r->reader->waiting, __ATOMIC_RELAXED);
	if (STAP_LIKELY(!waiting || waiting == r->woken))
		return 0;
	r->woken = waiting;
	return 1;
}
