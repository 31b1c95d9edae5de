// SPDX-License-Identifier: GPL-2.0-or-later
// A session's rules: states, priorities, errors and their limit, skipped hits, locks that never leak, overload.
#include "unit.h"

#include <stddef.h>

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100 // of the flags register: a trap after each instruction

enum { BEGIN_1, BEGIN_MINUS, BEGIN_0, TIMER, OTHER, END, ERROR_PROBE, PROBES };

static char events[256];
static void note(const char *what)
{
	strncat(events, what, sizeof(events) - strlen(events) - 1);
}

// What the timer's handler does this time.
static enum { DO_NOTHING, DO_FAIL, DO_EXIT, DO_LOOP, DO_NEST, DO_REPORT, DO_SPIN, DO_SLEEP, DO_PROTECT } todo;
static struct stap_probe probes[PROBES];
static void protect(int rights);

// What DO_SPIN takes of the processor, and DO_SLEEP of time only: 200 of them are far above the threshold below.
#define HANDLER_NS 1000000
static u64 thread_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static void hit(struct stap_ctx *c)
{
	const struct stap_probe *probe = c->probe;
	u64 start = thread_cpu_ns();

	note(probe->point);
	if (probe == &probes[BEGIN_1] && todo == DO_PROTECT)
		protect(PROT_READ);
	if (probe == &probes[TIMER] || (probe == &probes[BEGIN_0] && todo == DO_EXIT)) {
		switch (todo) {
		case DO_NOTHING: break;
		case DO_FAIL: stap_div(c, 1, 0); break;
		case DO_EXIT: stap_exit(c); break;
		case DO_LOOP:
			while (!c->failed) {
				stap_actions(c, 1);
				stap_catch(c); // as a try in a loop would
			}
			break;
		case DO_NEST:                                         // an interrupt's probe hits in the middle
			for (u32 i = 0; i < stap_core.cpu_count; i++) // whichever context the hit gets, it is in use
				stap_core.cpus[i].ctx.busy = 1;
			for (u32 i = 0; i < 200; i++)
				stap_hit(&probes[OTHER], c->event);
			for (u32 i = 0; i < stap_core.cpu_count; i++)
				stap_core.cpus[i].ctx.busy = &stap_core.cpus[i].ctx == c;
			break;
		case DO_REPORT: // others are hit meanwhile
			for (int i = 0; i < 101; i++)
				stap_hit(&probes[OTHER], &(struct stap_event){0});
			break;
		case DO_SPIN:
			while (thread_cpu_ns() - start < HANDLER_NS)
				;
			break;
		case DO_SLEEP: usleep(HANDLER_NS / 1000); break;
		case DO_PROTECT: break;
		}
	}
}

static const struct stap_lock_use write_both[] = {{0, 1}, {1, 1}}, read_second[] = {{1, 0}};
static struct stap_probe probes[PROBES] = {
	[BEGIN_1] = {.point = "b1 ", .hit = hit, .attach = {.kind = STAP_ATTACH_BEGIN, .begin.priority = 1}},
	[BEGIN_MINUS] = {.point = "b-1 ", .hit = hit, .attach = {.kind = STAP_ATTACH_BEGIN, .begin.priority = -1}},
	[BEGIN_0] = {.point = "b0 ", .hit = hit, .attach = {.kind = STAP_ATTACH_BEGIN}},
	[TIMER] = {.point = "t ",
		   .hit = hit,
		   .locks = write_both,
		   .lock_count = 2,
		   .attach = {.kind = STAP_ATTACH_TIMER, .timer.interval_ns = 1000000000000000ull}},
	[OTHER] = {.point = "o ",
		   .hit = hit,
		   .locks = read_second,
		   .lock_count = 1,
		   .attach = {.kind = STAP_ATTACH_TIMER, .timer.interval_ns = 1000000000000000ull}},
	[END] = {.point = "end ", .hit = hit, .attach = {.kind = STAP_ATTACH_END}},
	[ERROR_PROBE] = {.point = "error ", .hit = hit, .attach = {.kind = STAP_ATTACH_ERROR}},
};
static const struct stap_place places[] = {{0}};
static stap_long a, b;
static struct stap_global globals[] = {{.name = "a", .kind = STAP_GLOBAL_LONG, .object = &a},
				       {.name = "b", .kind = STAP_GLOBAL_LONG, .object = &b}};
UNIT_PROGRAM(.probes = probes, .probe_count = PROBES, .globals = globals, .global_count = 2, .places = places,
	     .place_count = 1);

// The ring with the oldest record after at[]; a thread may write to several. NULL at the end.
static struct stap_ring *oldest(const u64 *at)
{
	struct stap_ring *first = NULL;
	u64 time = ~0ull;

	for (u32 i = 0; i <= stap_core.cpu_count; i++) {
		struct stap_ring *r = &stap_core.cpus[i].ring;
		const struct stap_record *record = (const struct stap_record *)(r->data + at[i]);

		CHECK(r->head <= r->size);
		if (at[i] < r->head && record->time_ns < time) {
			time = record->time_ns;
			first = r;
		}
	}
	return first;
}

// All records as one text, "E:division by 0|...", in the order of time.
static const char *records(void)
{
	static char text[4096];
	u64 *at = calloc(stap_core.cpu_count + 1, sizeof(*at));
	struct stap_ring *r;
	u32 used = 0;

	while ((r = oldest(at))) {
		u64 *next = &at[(struct stap_cpu *)((char *)r - offsetof(struct stap_cpu, ring)) - stap_core.cpus];
		const struct stap_record *record = (const struct stap_record *)(r->data + *next);

		used += (u32)snprintf(text + used, sizeof(text) - used, "%c:%.*s|", "PTFWESC"[stap_record_kind(record)],
				      (int)(record->length - sizeof(*record)), (const char *)(record + 1));
		*next += (record->length + 7) & ~7u;
	}
	text[used] = 0;
	free(at);
	return text;
}

static void begin_session(void)
{
	events[0] = 0;
	unit_init(0);
	CHECK(stap_session_start(&stap_program, 42) == 0);
}

static void end_session(const char *wanted_events)
{
	stap_session_stop(&stap_program);
	stap_session_stop(&stap_program); // once is enough
	if (strcmp(events, wanted_events)) {
		printf("events: %s\nwanted: %s\n", events, wanted_events);
		exit(1);
	}
	CHECK(globals[0].lock == 0 && globals[1].lock == 0);
	CHECK(stap_core.shm->state == STAP_STATE_STOPPED && stap_core.shm->target_pid == 42);
	for (u32 i = 0; i <= stap_core.cpu_count; i++)
		CHECK(!stap_core.cpus[i].ctx.busy && !stap_core.cpus[i].ring.writer->active);
}

static void close_session(void)
{
	stap_session_free(&stap_program);
	close(user.shared_fd);
	close(user.wake_fd);
}

static void timer(void)
{
	struct stap_event event = {0};

	stap_hit(&probes[TIMER], &event);
}

static void lives(void)
{
	todo = DO_NOTHING;
	begin_session();
	timer();
	stap_hit(&probes[END], &(struct stap_event){0}); // not yet
	end_session("b-1 b0 b1 t end ");
	timer();
	CHECK(!strcmp(records(), ""));
	close_session();

	todo = DO_EXIT; // in begin: the later begin probe and the timer never run
	begin_session();
	timer();
	end_session("b-1 b0 end ");
	close_session();
}

// A store to the page of shm->state stops here before it is made: the one to shm->state is preceded by a hit that wants
// the script to end, others are let through one by one.
static u32 asked;
static void protect(int rights)
{
	mprotect(stap_core.shm, 4096, rights);
}

static void on_store(int number, siginfo_t *info, void *context)
{
	greg_t *flags = &((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];

	protect(PROT_READ | PROT_WRITE);
	if (number == SIGSEGV && info->si_addr == &stap_core.shm->state) {
		CHECK(!asked++);
		stap_session_request_stop();
	} else if (number == SIGSEGV) {
		*flags |= TRAP_FLAG;
	} else {
		*flags &= ~TRAP_FLAG;
		protect(PROT_READ);
	}
}

// The reader learns of the end that is asked for just when the script has begun to run.
static void ends_at_once(void)
{
	struct sigaction a = {.sa_sigaction = on_store, .sa_flags = SA_SIGINFO};

	todo = DO_PROTECT;
	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGTRAP, &a, NULL);
	begin_session();
	signal(SIGSEGV, SIG_DFL);
	signal(SIGTRAP, SIG_DFL);
	CHECK(asked == 1);
	CHECK(stap_core.state == STAP_STATE_STOPPING && stap_core.shm->state == STAP_STATE_STOPPING);
	end_session("b-1 b0 b1 end ");
	close_session();
}

// A host measures what a hit costs by a probe without a handler, also while the script is ending already.
static void measured(void)
{
	static const struct stap_probe none = {.attach = {.kind = STAP_ATTACH_NONE}};

	todo = DO_NOTHING;
	begin_session();
	for (u32 state = STAP_STATE_LOADED; state <= STAP_STATE_STOPPED; state++) {
		for (u32 failed = 0; failed <= 1; failed++) {
			stap_core.state = state;
			stap_core.failed = failed;
			stap_hit(&none, &(struct stap_event){0});
		}
	}
	stap_core.state = STAP_STATE_RUNNING;
	stap_core.failed = 0;
	end_session("b-1 b0 b1 end ");
	close_session();
}

// A kind of probe that a process can't attach: the script does not start, and nothing is left attached.
static void not_attachable(void)
{
	todo = DO_NOTHING;
	events[0] = 0;
	probes[OTHER].attach.kind = STAP_ATTACH_FUNCTION;
	unit_init(0);
	CHECK(stap_session_start(&stap_program, 42) == -ENOSYS);
	CHECK(strstr(user.problem, "probe point o  can't be attached in the user runtime"));
	CHECK(!probes[TIMER].state && !probes[OTHER].state);
	timer();
	end_session("b-1 b0 b1 ");
	close_session();
	probes[OTHER].attach.kind = STAP_ATTACH_TIMER;
}

static void errors(void)
{
	todo = DO_FAIL;
	begin_session();
	timer();
	timer();
	end_session("b-1 b0 b1 t error ");
	CHECK(!strcmp(records(), "E:division by 0|C:  #0 probe t |"));
	CHECK(stap_core.shm->failed == 1 && stap_core.shm->error_count == 1);
	close_session();

	stap_program.limits.max_errors = 2;
	begin_session();
	timer();
	timer();
	end_session("b-1 b0 b1 t t end ");
	close_session();
	stap_program.limits.max_errors = 0;

	stap_program.limits.suppress_handler_errors = 1;
	begin_session();
	for (int i = 0; i < 10; i++)
		timer();
	end_session("b-1 b0 b1 t t t t t t t t t t end ");
	CHECK(!strcmp(records(), "") && stap_core.shm->error_count == 10);
	close_session();
	stap_program.limits.suppress_handler_errors = 0;

	todo = DO_LOOP;
	begin_session();
	timer();
	end_session("b-1 b0 b1 t error ");
	CHECK(!strcmp(records(), "E:MAXACTION exceeded|C:  #0 probe t |"));
	close_session();
}

// What the reader can see: the sum over all CPUs' tables.
static u64 skipped(const struct stap_probe *probe, enum stap_skip why)
{
	const struct stap_shm *shm = stap_core.shm;
	u64 sum = 0;

	for (u32 i = 0; i < shm->skips_count; i++) {
		const u64 *table = (const u64 *)((const char *)shm + shm->skips_offset + i * shm->skips_stride);

		sum += table[probe->index * STAP_SKIP_COLUMNS + why];
	}
	return sum;
}

static u64 skipped_in_all(void)
{
	u64 sum = 0;

	for (u32 i = 0; i < PROBES; i++)
		for (u32 why = 0; why < STAP_SKIP_COLUMNS; why++)
			sum += skipped(&probes[i], why);
	return sum;
}

static void skips(void)
{
	todo = DO_NEST; // reentrancy does not count against MAXSKIPPED
	begin_session();
	timer();
	end_session("b-1 b0 b1 t end ");
	CHECK(skipped(&probes[OTHER], STAP_SKIP_NESTED) == 200 && skipped_in_all() == 200);
	close_session();

	todo = DO_REPORT; // nor does a report that takes long
	begin_session();
	stap_hit_report(&probes[TIMER], &(struct stap_event){0});
	CHECK(stap_core.state == STAP_STATE_RUNNING && !globals[0].lock && !globals[1].lock);
	stap_hit(&probes[OTHER], &(struct stap_event){0}); // when it is over, all goes on
	end_session("b-1 b0 b1 t o end ");
	CHECK(skipped(&probes[OTHER], STAP_SKIP_REPORT) == 101 && skipped_in_all() == 101);
	close_session();

	todo = DO_NOTHING;
	begin_session();
	globals[1].lock = 1; // somebody reads b: readers go on, a writer gives up and leaves a alone
	stap_hit(&probes[OTHER], &(struct stap_event){0});
	CHECK(globals[1].lock == 1);
	for (int i = 0; i < 100; i++)
		timer();
	CHECK(globals[0].lock == 0 && globals[1].lock == 1 && stap_core.state == STAP_STATE_RUNNING);
	timer(); // one too many
	CHECK(stap_core.state == STAP_STATE_STOPPING);
	globals[1].lock = 0;
	end_session("b-1 b0 b1 o error ");
	CHECK(!strcmp(records(),
		      "E:Skipped too many probes, check MAXSKIPPED or try again with stap -t for more details.|"));
	CHECK(skipped(&probes[TIMER], STAP_SKIP_LOCK) == 101 && skipped_in_all() == 101);
	close_session();

	begin_session(); // what hosts count
	stap_session_missed(&probes[OTHER], STAP_SKIP_MISSED, 7);
	stap_session_timer_moved(&probes[TIMER], 1); // in time
	stap_session_timer_moved(&probes[TIMER], 4);
	end_session("b-1 b0 b1 end ");
	stap_session_timer_moved(&probes[TIMER], 4); // nobody expects hits any more
	CHECK(skipped(&probes[OTHER], STAP_SKIP_MISSED) == 7 && skipped(&probes[TIMER], STAP_SKIP_OVERRUN) == 3);
	CHECK(skipped_in_all() == 10);
	close_session();
}

// Hits the timer until the script is stopped, 200 times at most: is it running still?
static int runs_on(void)
{
	for (int i = 0; i < 200 && stap_core.state == STAP_STATE_RUNNING; i++)
		timer();
	return stap_core.state == STAP_STATE_RUNNING;
}

// Handlers that do nothing: what the mechanism takes counts, and so do hits that wait for a lock in vain, or for the
// script's start. The report names the probe.
static void overload_besides_handlers(void)
{
	struct stap_limits *l = &stap_program.limits, saved = *l;
	static const char named[] = "E:probe overhead exceeded threshold: most time in t  (";

	todo = DO_NOTHING;
	l->overload_threshold = 20000000; // used up with a small share of a processor too
	begin_session();
	probes[TIMER].cost = 10000000;
	CHECK(!runs_on() && stap_core.shm->failed);
	events[0] = 0;
	end_session("error ");
	CHECK(!strncmp(records(), named, strlen(named)));
	close_session();

	begin_session();
	stap_core.state = STAP_STATE_STARTING;
	for (int i = 0; i < 200 && stap_core.state == STAP_STATE_STARTING; i++)
		timer();
	CHECK(stap_core.state == STAP_STATE_STOPPING && stap_core.shm->failed);
	stap_session_stop(&stap_program);
	close_session();
	probes[TIMER].cost = 0;

	l->max_try_lock = 1000;
	l->max_skipped = -1;
	l->overload_threshold = 500000; // a hit that waits gives the processor to whoever wants it
	begin_session();
	globals[0].lock = 1; // somebody reads
	CHECK(!runs_on() && stap_core.shm->failed);
	globals[0].lock = 0;
	events[0] = 0;
	end_session("error ");
	CHECK(!strncmp(records(), named, strlen(named)));
	close_session();
	*l = saved;
}

static void overload(void)
{
	stap_program.limits.overload_interval = 1000000000000;
	stap_program.limits.overload_threshold = 100000000;
	todo = DO_SPIN;
	begin_session();
	CHECK(!runs_on() && stap_core.shm->failed);
	CHECK(!*records()); // which probe it was is found out behind the last hit
	events[0] = 0;
	end_session("error ");
	CHECK(!strncmp(records(), "E:probe overhead exceeded threshold: most time in t  (", 54));
	close_session();

	todo = DO_SLEEP; // waiting for the processor is not using it
	begin_session();
	CHECK(runs_on());
	events[0] = 0;
	end_session("end ");
	close_session();

	todo = DO_SPIN; // each interval starts anew
	stap_program.limits.overload_interval = 1;
	begin_session();
	CHECK(runs_on());
	events[0] = 0;
	end_session("end ");
	close_session();

	stap_program.limits.overload_interval = 1000000000000;
	overload_besides_handlers();
	stap_program.limits.overload_interval = 0; // STP_NO_OVERLOAD
	begin_session();
	CHECK(runs_on());
	events[0] = 0;
	end_session("end ");
	close_session();
}

int main(void)
{
	lives();
	ends_at_once();
	measured();
	not_attachable();
	errors();
	skips();
	overload();
	return 0;
}
