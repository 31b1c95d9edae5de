// SPDX-License-Identifier: GPL-2.0-or-later
// The ring and its reader together: exact accounting, merge order, hostile tails and hostile writers.
#include "unit.h"

#include <pthread.h>
#include <unistd.h>

#include "../../staprun/staprun.h"

static struct stap_event event;
static struct stap_probe probe = {.point = "timer", .attach = {.kind = STAP_ATTACH_TIMER}};
UNIT_PROGRAM(.probes = &probe, .probe_count = 1);

volatile int interrupts;
static unsigned complaints;
void complain(const char *word, const char *format, ...)
{
	(void)word;
	(void)format;
	complaints++;
}

static struct stap_shm *shm;
static u64 shm_size;

// What comes must be in time order, and a run of one stamp in one piece, numbered without gaps from its start.
static struct {
	u64 records, last_time, last_run, next;
	u64 marks, marked; // of losses, and the records they tell of
	u64 errors, traces;
	int order_matters;
} seen;

struct payload {
	u64 run, number;
	char filling[40];
};

static void sink(void *data, const struct stap_record *record, unsigned cpu, const char *payload, unsigned length)
{
	struct payload p;

	(void)data;
	CHECK(cpu < stap_core.cpu_count);
	if (stap_record_kind(record) == STAP_RECORD_LOST) {
		struct stap_record_lost lost;

		CHECK(length == sizeof(lost));
		memcpy(&lost, payload, sizeof(lost));
		seen.marks++;
		seen.marked += lost.records;
		return;
	}
	seen.errors += stap_record_kind(record) == STAP_RECORD_ERROR;
	seen.traces += stap_record_kind(record) == STAP_RECORD_TRACE;
	seen.records++;
	if (!seen.order_matters)
		return;
	CHECK(length >= 16 && stap_record_kind(record) == STAP_RECORD_TEXT);
	memset(&p, 0, sizeof(p));
	memcpy(&p, payload, length < sizeof(p) ? length : sizeof(p));
	CHECK(record->time_ns >= seen.last_time);
	if (p.run == seen.last_run && p.run)
		CHECK(p.number > seen.next);
	seen.last_time = record->time_ns;
	seen.last_run = p.run;
	seen.next = p.number;
}

static struct reader *fresh(void)
{
	const char *problem;
	struct reader *r;

	unit_init(8192);
	unit_run();
	shm = stap_session_shm(&shm_size);
	r = reader_create(shm, shm_size, &problem);
	CHECK(r);
	memset(&seen, 0, sizeof(seen));
	complaints = 0;
	return r;
}

static void done(struct reader *r)
{
	reader_destroy(r);
	stap_session_free(&stap_program);
	close(user.shared_fd);
	close(user.wake_fd);
}

static u64 runs;
static int producing;

static void one_run(u32 records)
{
	struct stap_ctx *c = stap_enter(&probe, &event);
	struct payload p = {.run = __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED)};

	if (!c)
		return;
	for (u32 i = 1; i <= records; i++) {
		p.number = i;
		stap_print(c, (struct stap_str){(const char *)&p, 16 + (u32)(p.run * 7 + i) % 40});
	}
	stap_leave(c);
}

static void *produce(void *arg)
{
	(void)arg;
	for (u32 i = 0; i < 20000; i++)
		one_run(1 + i % 5);
	__atomic_sub_fetch(&producing, 1, __ATOMIC_RELEASE);
	return NULL;
}

// Several threads write while one reads: nothing out of order, nothing lost uncounted.
static void concurrent(void)
{
	struct reader *r = fresh();
	struct reader_totals t;
	pthread_t threads[4];

	seen.order_matters = 1;
	producing = 4;
	for (int i = 0; i < 4; i++)
		CHECK(!pthread_create(&threads[i], NULL, produce, NULL));
	while (__atomic_load_n(&producing, __ATOMIC_ACQUIRE)) {
		reader_drain(r, 0, sink, NULL);
		usleep(100);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	reader_drain(r, 1, sink, NULL);
	t = reader_account(r);
	CHECK(t.exact && t.delivered == seen.records && t.produced == t.delivered + t.lost && t.delivered > 0 &&
	      !complaints);
	CHECK(t.lost > 0); // the rings are tiny on purpose
	done(r);
}

// Nobody reads: the ring fills up, the rest is counted, the reader then finds exactly what fitted.
static void full(void)
{
	struct reader *r = fresh();
	struct reader_totals t;

	for (int i = 0; i < 1000; i++)
		one_run(3);
	reader_drain(r, 1, sink, NULL);
	t = reader_account(r);
	CHECK(t.exact && t.lost > 0 && t.delivered == seen.records && t.produced == 3000);
	for (int i = 0; i < 10; i++)
		one_run(3);
	reader_drain(r, 1, sink, NULL);
	CHECK(reader_account(r).delivered == t.delivered + 30);
	done(r);
}

// Losses are named by their ring; the last one is no CPU's.
static void names(void)
{
	struct reader *r = fresh();
	char text[128];

	stap_core.cpus[1].ring.writer->lost = 3;
	stap_core.cpus[stap_core.cpu_count].ring.writer->lost = 5;
	reader_lost_per_cpu(r, text, sizeof(text));
	CHECK(!strcmp(text, "cpu 1: 3; begin and end probes, reports: 5"));
	done(r);
}

// What was lost since a ring's last mark.
static u64 unmarked(void)
{
	u64 sum = 0;

	for (u32 i = 0; i < stap_core.cpu_count; i++)
		sum += stap_core.cpus[i].ring.unmarked;
	return sum;
}

// The place of losses is marked before the next record that fits; nothing is marked where nothing was lost.
static void marked(void)
{
	struct reader *r = fresh();
	u64 marks;

	one_run(3);
	reader_drain(r, 1, sink, NULL);
	CHECK(!seen.marks);
	for (int round = 1; round < 200; round++) {
		for (int i = 0; i < 1 + round * 7 % 300; i++)
			one_run(3);
		marks = seen.marks;
		reader_drain(r, 1, sink, NULL);
		CHECK(seen.marks - marks <= stap_core.cpu_count);
		CHECK(seen.marked + unmarked() == reader_account(r).lost);
	}
	for (u32 i = 0; i < stap_core.cpu_count; i++)
		one_run(1);
	reader_drain(r, 1, sink, NULL);
	CHECK(seen.marks > 50 && reader_account(r).exact && reader_account(r).delivered == seen.records);
	done(r);
}

static void failing_run(void)
{
	struct stap_ctx *c = stap_enter(&probe, &event);

	CHECK(c);
	for (int i = 0; i < 1000; i++)
		stap_print(c, STAP_STR("a line of the flood, in which the reason of its end must not go down"));
	stap_fail_script(c, STAP_STR("reason"));
	stap_leave(c);
}

// An error after a flood has room, and so has its trace.
static void error_in_flood(void)
{
	struct reader *r = fresh();

	failing_run();
	reader_drain(r, 1, sink, NULL);
	CHECK(seen.errors == 1 && seen.traces == 1 && seen.marks == 1 && reader_account(r).lost == seen.marked);
	CHECK(reader_account(r).exact);
	done(r);
}

// Where the reader's clock is another than that of the stamps, it takes the distance into account: what is younger than
// the present by the stamps' clock is not ripe yet, what is older is.
static void other_clock(void)
{
	const long long hour_ns = 3600ll * 1000000000;
	struct reader *r = fresh();

	one_run(3);
	usleep(1000); // the slack that is given to clocks
	reader_set_clock(r, -hour_ns);
	CHECK(!reader_drain(r, 0, sink, NULL).records);
	reader_set_clock(r, 0);
	CHECK(reader_drain(r, 0, sink, NULL).records == 3);
	one_run(3);
	reader_set_clock(r, hour_ns);
	CHECK(reader_drain(r, 0, sink, NULL).records == 3);
	done(r);
}

// A reader's page full of nonsense harms nobody: the producer takes the ring for full.
static void hostile_tail(void)
{
	struct reader *r = fresh();
	struct stap_ring *ring;

	for (int i = 0; i < 5000; i++) {
		for (u32 k = 0; k < stap_core.cpu_count; k++) {
			ring = &stap_core.cpus[k].ring;
			ring->reader->tail =
				unit_random() % 3 ? unit_random() : ring->head + unit_random() % 32768 - 16384;
			ring->reader->waiting = unit_random();
		}
		one_run(1 + i % 4);
		for (u32 k = 0; k < stap_core.cpu_count; k++) {
			ring = &stap_core.cpus[k].ring;
			CHECK(ring->head - ring->tail <= ring->size);
			CHECK(ring->produced >= ring->lost);
		}
	}
	done(r);
}

// A ring full of nonsense harms nobody: the reader gives it up and says so.
static void hostile_writer(void)
{
	u32 gave_up = 0;

	for (int round = 0; round < 300; round++) {
		struct reader *r = fresh();
		struct stap_ring *ring;
		u32 cpu;

		one_run(20);
		for (cpu = 0; cpu + 1 < stap_core.cpu_count && !stap_core.cpus[cpu].ring.head; cpu++)
			;
		ring = &stap_core.cpus[cpu].ring;
		for (int i = 0; i < 1 + round % 8; i++)
			ring->data[unit_random() % (ring->head ? ring->head : 8)] = (char)unit_random();
		if (round % 5 == 0)
			ring->writer->head = round % 10 ? unit_random() : ring->head + 8 * (unit_random() % 2000);
		reader_drain(r, 0, sink, NULL);
		reader_drain(r, 1, sink, NULL);
		gave_up += complaints;
		CHECK((reader_account(r).corrupt != 0) == (complaints != 0));
		done(r);
	}
	CHECK(gave_up > 10);
}

// Shared memory whose header lies is refused.
static void hostile_layout(void)
{
	struct reader *r = fresh();
	struct stap_shm good = *shm;
	const char *problem;

	for (int i = 0; i < 2000; i++) {
		struct reader *other;

		*shm = good;
		((char *)shm)[unit_random() % sizeof(*shm)] = (char)unit_random();
		other = reader_create(shm, shm_size, &problem);
		if (other)
			reader_drain(other, 1, sink, NULL);
		reader_destroy(other);
	}
	*shm = good;
	done(r);
}

// The reader is woken once each time it sleeps, and by a ring that it has not seen.
static void wakes(void)
{
	struct reader *r = fresh();
	u64 count = 0;

	one_run(1);
	CHECK(read(user.wake_fd, &count, 8) == 8 && count == 1);
	reader_sleep(r);
	reader_awake(r);
	one_run(1);
	CHECK(read(user.wake_fd, &count, 8) < 0);
	reader_sleep(r);
	one_run(1);
	one_run(1);
	CHECK(read(user.wake_fd, &count, 8) == 8 && count >= 1);
	reader_awake(r);
	one_run(1);
	CHECK(read(user.wake_fd, &count, 8) < 0);
	done(r);
}

int main(void)
{
	concurrent();
	full();
	names();
	marked();
	error_in_flood();
	other_clock();
	hostile_tail();
	hostile_writer();
	hostile_layout();
	wakes();
	return 0;
}
