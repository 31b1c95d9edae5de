// SPDX-License-Identifier: GPL-2.0-or-later
// Locks of globals, core/lock.c: who waits for whom, for how long, and what a hit that waits leaves behind.
#include "unit.h"

#include <pthread.h>

enum { READ, WRITE, PROBES };

static const struct stap_lock_use read_a[] = {{0, 0}}, write_a[] = {{0, 1}};
static void do_nothing(struct stap_ctx *c)
{
	(void)c;
}
static struct stap_probe probes[PROBES] = {
	[READ] = {.point = "read",
		  .hit = do_nothing,
		  .locks = read_a,
		  .lock_count = 1,
		  .attach = {.kind = STAP_ATTACH_TIMER}},
	[WRITE] = {.point = "write",
		   .hit = do_nothing,
		   .locks = write_a,
		   .lock_count = 1,
		   .attach = {.kind = STAP_ATTACH_TIMER}},
};
static const struct stap_place places[] = {{0}};
static stap_long a;
static struct stap_global globals[] = {{.name = "a", .kind = STAP_GLOBAL_LONG, .object = &a}};
UNIT_PROGRAM(.probes = probes, .probe_count = PROBES, .globals = globals, .global_count = 1, .places = places,
	     .place_count = 1);
static struct stap_event event;

static void free_again(void)
{
	CHECK(globals[0].lock == 0 && globals[0].writers_waiting == 0);
	for (u32 i = 0; i < stap_core.cpu_count; i++)
		CHECK(!stap_core.cpus[i].ctx.busy && !stap_core.cpus[i].waiting_writers);
}

static struct stap_ctx *enter(u32 probe)
{
	return stap_enter(&probes[probe], &event);
}

// Readers share; a writer is alone.
static void who_excludes_whom(void)
{
	struct stap_ctx *first = enter(READ), *second = enter(READ), *writer;

	CHECK(first && second && first != second);
	CHECK(!enter(WRITE));
	stap_leave(first);
	CHECK(!enter(WRITE));
	stap_leave(second);
	writer = enter(WRITE);
	CHECK(writer && !enter(READ) && !enter(WRITE));
	stap_leave(writer);
	free_again();
}

// A reader that comes while a writer waits waits too; but not one that has interrupted that writer on its CPU.
static void writers_go_first(void)
{
	struct stap_ctx *reader = enter(READ), *other;

	globals[0].writers_waiting = 1;
	CHECK(!enter(READ));
	for (u32 i = 0; i < stap_core.cpu_count; i++)
		stap_core.cpus[i].waiting_writers = 1;
	other = enter(READ);
	CHECK(other);
	stap_leave(other);
	for (u32 i = 0; i < stap_core.cpu_count; i++)
		stap_core.cpus[i].waiting_writers = 0;
	globals[0].writers_waiting = 0;
	stap_leave(reader);
	free_again();
}

// A hit that can't have its lock has waited MAXTRYLOCK times TRYLOCKDELAY, however often the lock word changes
// meanwhile.
static int stop;
static void *change_the_word(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		struct stap_ctx *c = enter(READ);

		if (c)
			stap_leave(c);
	}
	return NULL;
}

static void waits_its_time(void)
{
	struct stap_limits *l = &stap_program.limits;
	struct stap_ctx *reader = enter(READ);
	pthread_t thread;
	u64 start;

	pthread_create(&thread, NULL, change_the_word, NULL);
	l->max_try_lock = 100;
	l->try_lock_delay_us = 200;
	start = host_clock_ns();
	CHECK(!enter(WRITE));
	CHECK(host_clock_ns() - start >= 20000000);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	l->max_try_lock = 0;
	stap_leave(reader);
	free_again();
}

// The writer gets the lock as soon as the reader that holds it goes, although others would follow it.
static void *hold_for_a_while(void *arg)
{
	struct stap_ctx *c = enter(READ);

	CHECK(c);
	__atomic_store_n((int *)arg, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&globals[0].writers_waiting, __ATOMIC_RELAXED))
		host_relax();
	stap_leave(c);
	return NULL;
}

static void is_let_in(void)
{
	struct stap_ctx *writer;
	pthread_t thread;
	int held = 0;

	stap_program.limits.max_try_lock = 1000000;
	stap_program.limits.try_lock_delay_us = 1000;
	pthread_create(&thread, NULL, hold_for_a_while, &held);
	while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
		host_relax();
	writer = enter(WRITE);
	CHECK(writer);
	stap_leave(writer);
	pthread_join(thread, NULL);
	free_again();
}

// The script ends while the writer waits: its hit is not run, nor counted as skipped.
static void *hold_until_the_end(void *arg)
{
	struct stap_ctx *c = enter(READ);

	CHECK(c);
	__atomic_store_n((int *)arg, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&globals[0].writers_waiting, __ATOMIC_RELAXED))
		host_relax();
	stap_session_request_stop();
	stap_leave(c);
	return NULL;
}

static void ends_with_the_script(void)
{
	pthread_t thread;
	int held = 0;

	stap_program.limits.max_skipped = 100;
	pthread_create(&thread, NULL, hold_until_the_end, &held);
	while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
		host_relax();
	CHECK(!enter(WRITE));
	pthread_join(thread, NULL);
	CHECK(stap_core.state == STAP_STATE_STOPPING && !stap_core.limited_skips);
	stap_program.limits.max_skipped = -1;
	unit_run();
	free_again();
}

// Eight readers that hold the lock half of their time, so that it is hardly ever free, and a writer with the patience
// of some ten of their turns: it gets its turns. Each has a context of its own, which a process has not as many of.
#define READERS      8
#define WRITES       100
#define TURN_US      2000
#define PATIENCE_US  20000
#define MOST_SKIPPED 25 // on a busy machine readers sleep longer than they want to; 0 as a rule

static int take(struct stap_ctx *c)
{
	struct stap_lock_wait wait = {0};
	int missing;

	while ((missing = stap_locks_take(c)) && stap_locks_wait(&wait, &c->probe->locks[c->missing], c->slot, 1))
		;
	stap_locks_wait_end(&wait);
	return missing;
}

static struct stap_ctx context_of(u32 probe, u32 slot)
{
	return (struct stap_ctx){.probe = &probes[probe], .slot = slot, .home = &stap_core.cpus[slot]};
}

static void *read_half_the_time(void *arg)
{
	const u32 number = *(u32 *)arg;
	// Not the writer's slot: it would be a hit that has interrupted the writer.
	struct stap_ctx c = context_of(READ, 1 + number % (stap_core.cpu_count - 1));

	usleep(number * TURN_US / 4);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		if (!take(&c)) {
			usleep(TURN_US);
			stap_locks_drop(&c);
		}
		usleep(TURN_US);
	}
	return NULL;
}

static void writers_do_not_starve(void)
{
	struct stap_ctx writer = context_of(WRITE, 0);
	u32 numbers[READERS], skipped = 0;
	pthread_t threads[READERS];

	stap_program.limits.max_try_lock = 100;
	stap_program.limits.try_lock_delay_us = PATIENCE_US / 100;
	__atomic_store_n(&stop, 0, __ATOMIC_RELAXED);
	for (u32 i = 0; i < READERS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, read_half_the_time, &numbers[i]);
	}
	for (u32 i = 0; i < WRITES; i++) {
		if (take(&writer))
			skipped++;
		else
			stap_locks_drop(&writer);
		usleep(TURN_US);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (u32 i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	printf("%u of %u writers were skipped\n", skipped, WRITES);
	CHECK(skipped <= MOST_SKIPPED);
	free_again();
}

int main(void)
{
	unit_init(0);
	unit_run();
	stap_program.limits.max_try_lock = 0;
	stap_program.limits.max_skipped = -1;
	who_excludes_whom();
	writers_go_first();
	waits_its_time();
	is_let_in();
	ends_with_the_script();
	writers_do_not_starve();
	stap_session_free(&stap_program);
	return 0;
}
