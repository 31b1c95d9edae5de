// SPDX-License-Identifier: GPL-2.0-or-later
// Timers in a process: a thread a timer, or one a CPU for timer.profile, sleeping to absolute deadlines.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

#define NS_PER_S 1000000000ull

struct timer {
	const struct stap_probe *probe;
	pthread_t thread;
	u64 random; // xorshift state
};

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	int stopping;
	struct timer *all;
	u32 count;
} timers = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// The interval until the next hit, with timer.X(N).randomize(M): N +- M, uniformly.
static u64 next_interval(struct timer *t)
{
	const struct stap_attach *a = &t->probe->attach;
	u64 interval = a->interval_ns, spread = a->randomize_ns;

	if (!interval)
		interval = NS_PER_S / (u64)sysconf(_SC_CLK_TCK); // every tick
	if (!spread)
		return interval;
	t->random ^= t->random << 13;
	t->random ^= t->random >> 7;
	t->random ^= t->random << 17;
	interval = interval + t->random % (2 * spread + 1);
	return interval > spread + 1000 ? interval - spread : 1000;
}

// Sleeps until the deadline; 0, or 1 when the script is stopping.
static int sleep_until(u64 deadline)
{
	struct timespec t = {.tv_sec = (time_t)(deadline / NS_PER_S), .tv_nsec = (long)(deadline % NS_PER_S)};
	int stopping, rc = 0;

	pthread_mutex_lock(&timers.mutex);
	while (!timers.stopping && rc != ETIMEDOUT)
		rc = pthread_cond_timedwait(&timers.wake, &timers.mutex, &t);
	stopping = timers.stopping;
	pthread_mutex_unlock(&timers.mutex);
	return stopping;
}

static void *timer_thread(void *arg)
{
	struct timer *t = arg;
	u64 deadline = host_clock_ns(), now, interval;

	for (;;) {
		interval = next_interval(t);
		deadline += interval;
		now = host_clock_ns();
		if (deadline < now) // late by more than an interval: the hits between are dropped, not bunched
			deadline += (now - deadline) / interval * interval;
		if (sleep_until(deadline))
			return NULL;
		t->probe->hit(t->probe, STAP_NULL, STAP_NULL);
	}
}

static u32 threads_of(const struct stap_probe *p)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (p->attach.kind == STAP_ATTACH_TIMER)
		return 1;
	if (p->attach.kind == STAP_ATTACH_PROFILE)
		return n < 1 ? 1 : (u32)n < host_cpu_count() ? (u32)n : host_cpu_count();
	return 0;
}

static int start_timer(const struct stap_probe *p)
{
	struct timer *t = &timers.all[timers.count];
	sigset_t all, old;
	int rc;

	t->probe = p;
	t->random = host_clock_ns() | 1;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&t->thread, NULL, timer_thread, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!rc)
		timers.count++;
	return -rc;
}

// Function probes need a kernel, or another process to patch.
static int refuse(const struct stap_probe *p)
{
	snprintf(user.problem, sizeof(user.problem),
		 "probe point %s can't be attached in the user runtime; run the script with --runtime=kernel",
		 p->point);
	return -ENOSYS;
}

int host_attach_all(struct stap_program *p)
{
	pthread_condattr_t attr;
	u32 threads = 0;
	int rc = 0;

	for (u32 i = 0; i < p->probe_count; i++) {
		threads += threads_of(&p->probes[i]);
		if (p->probes[i].attach.kind > STAP_ATTACH_PROFILE)
			return refuse(&p->probes[i]);
	}
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&timers.wake, &attr);
	pthread_condattr_destroy(&attr);
	timers.all = calloc(threads + 1, sizeof(*timers.all));
	if (!timers.all)
		return -ENOMEM;
	for (u32 i = 0; i < p->probe_count && !rc; i++)
		for (u32 k = threads_of(&p->probes[i]); k > 0 && !rc; k--)
			rc = start_timer(&p->probes[i]);
	if (rc)
		snprintf(user.problem, sizeof(user.problem), "a thread for a timer can't be started");
	return rc;
}

void host_detach_all(struct stap_program *p)
{
	(void)p;
	if (!timers.all)
		return;
	pthread_mutex_lock(&timers.mutex);
	timers.stopping = 1;
	pthread_cond_broadcast(&timers.wake);
	pthread_mutex_unlock(&timers.mutex);
	for (u32 i = 0; i < timers.count; i++)
		pthread_join(timers.all[i].thread, NULL);
	pthread_cond_destroy(&timers.wake);
	free(timers.all);
	timers.all = NULL;
	timers.count = 0;
}
