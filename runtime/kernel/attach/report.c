// SPDX-License-Identifier: GPL-2.0-or-later
// Timers whose handlers may take long, each by a thread that sleeps to its deadlines: STAP_ATTACH_REPORT.
//
// Where a thread runs and whose stack it has is none of the script's business, so the translator chooses this for
// handlers that do not ask about it. The threads share the session's context: one handler runs at a time. They have no
// priority over other threads: a report that takes longer than its interval competes for a processor like anybody.
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include "../kernel.h"

struct report_state {
	struct task_struct *thread;
	struct stap_probe *probe;
	struct completion finished; // no handler will run any more
	u64 random;
	bool stopping;
};

static DEFINE_MUTEX(session_context);
static bool abandoned;

void session_context_take(void)
{
	mutex_lock(&session_context);
}

bool session_context_try(void)
{
	return mutex_trylock(&session_context);
}

void session_context_give(void)
{
	mutex_unlock(&session_context);
}

bool reports_are_abandoned(void)
{
	return READ_ONCE(abandoned);
}

// The next deadline that lies ahead; those that have passed meanwhile are dropped, not made up for.
static ktime_t next_deadline(struct report_state *s, ktime_t last)
{
	const struct stap_attach_report *a = &s->probe->attach.report;
	u64 interval = timer_next_interval(a->interval_ns, a->randomize_ns, &s->random);
	u64 intervals = div64_u64(ktime_to_ns(ktime_sub(ktime_get(), last)), interval) + 1;

	stap_session_timer_moved(s->probe, intervals);
	return ktime_add_ns(last, intervals * interval);
}

// False when the thread is to end.
static bool sleep_until(struct report_state *s, ktime_t deadline)
{
	bool expired = false;

	while (!expired) {
		set_current_state(TASK_IDLE);
		if (READ_ONCE(s->stopping))
			break;
		expired = !schedule_hrtimeout(&deadline, HRTIMER_MODE_ABS);
	}
	__set_current_state(TASK_RUNNING);
	return expired;
}

static int report_thread(void *state)
{
	struct report_state *s = state;
	struct stap_event event = {0};
	ktime_t deadline = ktime_get();

	for (;;) {
		deadline = next_deadline(s, deadline);
		if (!sleep_until(s, deadline))
			break;
		session_context_take();
		stap_hit_report(s->probe, &event);
		session_context_give();
	}
	complete(&s->finished);
	for (;;) { // kthread_stop() must find the thread
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static int report_attach(struct stap_probe *p)
{
	struct report_state *s = p->state;

	s->probe = p;
	s->random = timer_random(p);
	init_completion(&s->finished);
	s->thread = kthread_create(report_thread, s, "%s/%u", stap_program.name, p->index);
	if (IS_ERR(s->thread))
		return PTR_ERR(s->thread);
	wake_up_process(s->thread);
	return 0;
}

// A handler that runs is waited for, unless the caller is killed: then it is told to end.
static void report_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		struct report_state *s = probes[i]->state;

		WRITE_ONCE(s->stopping, true);
		wake_up_process(s->thread);
	}
	for (i = 0; i < count; i++) {
		struct report_state *s = probes[i]->state;

		if (wait_for_completion_killable(&s->finished))
			WRITE_ONCE(abandoned, true);
		kthread_stop(s->thread);
	}
}

static const char *report_way(const struct stap_probe *p)
{
	return "thread";
}

const struct stap_mechanism report_mechanism = {
	.kind = STAP_ATTACH_REPORT,
	.state_size = sizeof(struct report_state),
	.attach = report_attach,
	.detach = report_detach,
	.way = report_way,
};
