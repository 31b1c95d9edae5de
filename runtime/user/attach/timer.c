// SPDX-License-Identifier: GPL-2.0-or-later
// Timers in a process: a thread a timer or report, or one a CPU for timer.profile, sleeping to absolute deadlines.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../private.h"

#define NS_PER_S        1000000000ull
#define MIN_INTERVAL_NS 1000

struct timer {
	pthread_t thread;
	struct timer_state *state;
	u64 random; // xorshift state
};

// Of one probe.
struct timer_state {
	const struct stap_probe *probe;
	void (*hit)(const struct stap_probe *p);
	u64 interval_ns, randomize_ns;
	pthread_mutex_t mutex; // of `stopping`
	pthread_cond_t wake;
	int stopping;
	struct timer *timers;
	u32 count;
};

// The interval until the next hit, with timer.X(N).randomize(M): N +- M, uniformly.
static u64 next_interval(struct timer *t)
{
	u64 interval = t->state->interval_ns, spread = t->state->randomize_ns;

	if (!spread)
		return interval;
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	interval = interval + t->random % (2 * spread + 1);
	return interval > spread + MIN_INTERVAL_NS ? interval - spread : MIN_INTERVAL_NS;
}

// Sleeps until the deadline; 0, or 1 when the script is stopping.
static int sleep_until(struct timer_state *s, u64 deadline)
{
	struct timespec t = {.tv_sec = (time_t)(deadline / NS_PER_S), .tv_nsec = (long)(deadline % NS_PER_S)};
	int stopping, rc = 0;

	pthread_mutex_lock(&s->mutex);
	while (!s->stopping && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&s->wake, &s->mutex, &t);
	stopping = s->stopping;
	pthread_mutex_unlock(&s->mutex);
	return stopping;
}

static void timer_hit(const struct stap_probe *p)
{
	struct stap_event event = {0};

	stap_hit(p, &event);
}

// All reports share one context, with input.
static pthread_mutex_t session_context = PTHREAD_MUTEX_INITIALIZER;

void session_context_take(void)
{
	pthread_mutex_lock(&session_context);
}

void session_context_give(void)
{
	pthread_mutex_unlock(&session_context);
}

static void report_hit(const struct stap_probe *p)
{
	struct stap_event event = {0};

	session_context_take();
	stap_hit_report(p, &event);
	session_context_give();
}

static void *timer_thread(void *arg)
{
	struct timer *t = arg;
	const struct stap_probe *p = t->state->probe;
	u64 deadline = host_clock_ns(), now, interval, intervals;

	for (;;) {
		interval = next_interval(t);
		now = host_clock_ns();
		// Late by more than an interval: the hits between are dropped, not bunched.
		intervals = deadline + interval < now ? (now - deadline) / interval : 1;
		stap_session_timer_moved(p, intervals);
		deadline += intervals * interval;
		if (sleep_until(t->state, deadline))
			return NULL;
		t->state->hit(p);
	}
}

static int start_thread(struct timer_state *s)
{
	struct timer *t = &s->timers[s->count];
	sigset_t all, old;
	int rc;

	t->state = s;
	t->random = host_clock_ns() | 1;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&t->thread, NULL, timer_thread, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!rc)
		s->count++;
	return -rc;
}

static void stop_threads(struct timer_state *s)
{
	pthread_mutex_lock(&s->mutex);
	s->stopping = 1;
	pthread_cond_broadcast(&s->wake);
	pthread_mutex_unlock(&s->mutex);
}

static void join_threads(struct timer_state *s)
{
	for (u32 i = 0; i < s->count; i++)
		pthread_join(s->timers[i].thread, NULL);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->mutex);
	free(s->timers);
}

static int start_threads(struct stap_probe *p, void (*hit)(const struct stap_probe *), u32 threads, u64 interval_ns,
			 u64 randomize_ns)
{
	struct timer_state *s = p->state;
	pthread_condattr_t attr;
	int rc = 0;

	s->probe = p;
	s->hit = hit;
	s->interval_ns = interval_ns;
	s->randomize_ns = randomize_ns;
	s->timers = calloc(threads, sizeof(*s->timers));
	if (!s->timers)
		return -ENOMEM;
	pthread_mutex_init(&s->mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	while (!rc && s->count < threads)
		rc = start_thread(s);
	if (rc) {
		stop_threads(s);
		join_threads(s);
	}
	return rc;
}

static int timer_attach(struct stap_probe *p)
{
	return start_threads(p, timer_hit, 1, p->attach.timer.interval_ns, p->attach.timer.randomize_ns);
}

static int report_attach(struct stap_probe *p)
{
	return start_threads(p, report_hit, 1, p->attach.report.interval_ns, p->attach.report.randomize_ns);
}

static int profile_attach(struct stap_probe *p)
{
	u64 tick = NS_PER_S / (u64)sysconf(_SC_CLK_TCK), interval = p->attach.profile.interval_ns;
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	u32 cpus = n < 1 ? 1 : (u32)n < host_cpu_count() ? (u32)n : host_cpu_count();

	return start_threads(p, timer_hit, cpus, interval ? interval : tick, 0);
}

static void timer_detach(struct stap_probe *const *probes, u32 count)
{
	for (u32 i = 0; i < count; i++)
		stop_threads(probes[i]->state);
	for (u32 i = 0; i < count; i++)
		join_threads(probes[i]->state);
}

static const char *timer_way(const struct stap_probe *p)
{
	(void)p;
	return "thread";
}

const struct stap_mechanism timer_mechanism = {
	.kind = STAP_ATTACH_TIMER,
	.state_size = sizeof(struct timer_state),
	.attach = timer_attach,
	.detach = timer_detach,
	.way = timer_way,
};

const struct stap_mechanism report_mechanism = {
	.kind = STAP_ATTACH_REPORT,
	.state_size = sizeof(struct timer_state),
	.attach = report_attach,
	.detach = timer_detach,
	.way = timer_way,
};

const struct stap_mechanism profile_mechanism = {
	.kind = STAP_ATTACH_PROFILE,
	.state_size = sizeof(struct timer_state),
	.attach = profile_attach,
	.detach = timer_detach,
	.way = timer_way,
};
