// SPDX-License-Identifier: GPL-2.0-or-later
// The producer's side of a CPU's ring: reserve, fill in, commit; what does not fit is counted. See abi/record.h.
#include "core.h"

#define READER_PATIENCE_NS 1000000000ull

void stap_ring_init(struct stap_ring *r, struct stap_ring_writer *w, struct stap_ring_reader *reader, char *data,
		    u32 size)
{
	mem_zero(r, sizeof(*r));
	r->given_up = ~0ull;
	r->writer = w;
	r->reader = reader;
	r->data = data;
	r->size = size;
}

static u64 record_size(u64 payload)
{
	return (sizeof(struct stap_record) + payload + 7) & ~7ull;
}

// Free bytes. A tail that can't be (the reader's page may hold anything) keeps the last good one.
static u64 free_bytes(struct stap_ring *r, u64 wanted)
{
	u64 tail;

	if (r->size - (r->head - r->tail) >= wanted)
		return r->size - (r->head - r->tail);
	tail = stap_load(&r->reader->tail);
	if (tail - r->tail <= r->head - r->tail && (tail & 7) == 0)
		r->tail = tail;
	return r->size - (r->head - r->tail);
}

char *stap_ring_reserve(struct stap_ring *r, u32 kind_and_probe, u64 payload, u64 time_ns)
{
	u64 need = record_size(payload);
	struct stap_record *record;
	u64 pad;
	u32 at;

	r->writing = 1; // an NMI may have written until here
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	at = (u32)(r->head & (r->size - 1));
	pad = need > r->size - at ? r->size - at : 0;
	if (STAP_UNLIKELY(r->lost_in_nmi))
		stap_ring_settle(r);
	__atomic_store_n(&r->writer->produced, ++r->produced, __ATOMIC_RELAXED);
	if (STAP_UNLIKELY(need > r->size || free_bytes(r, need + pad) < need + pad)) {
		__atomic_store_n(&r->writer->lost, ++r->lost, __ATOMIC_RELAXED);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		r->writing = 0;
		return STAP_NULL;
	}
	if (pad) {
		record = (struct stap_record *)(r->data + at);
		record->length = (u32)pad;
		record->kind_and_probe = stap_kind_and_probe(STAP_RECORD_PAD, STAP_NO_PROBE);
		r->head += pad;
		at = 0;
	}
	record = (struct stap_record *)(r->data + at);
	record->length = (u32)(sizeof(*record) + payload);
	record->kind_and_probe = kind_and_probe;
	record->time_ns = time_ns;
	return (char *)(record + 1);
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

	r->produced += lost;
	r->lost += lost;
	__atomic_store_n(&r->writer->produced, r->produced, __ATOMIC_RELAXED);
	__atomic_store_n(&r->writer->lost, r->lost, __ATOMIC_RELAXED);
}

void stap_ring_wait(struct stap_ring *r, u64 payload)
{
	u64 need = 2 * record_size(payload); // the end of the ring may have to be skipped
	u64 end = host_clock_ns() + READER_PATIENCE_NS, tail = r->tail;

	while (need <= r->size && free_bytes(r, need) < need) {
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
