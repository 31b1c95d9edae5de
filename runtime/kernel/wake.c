// SPDX-License-Identifier: GPL-2.0-or-later
// What a hit asks for, and what only another context can do: waking the reader, at most every 10 ms; arming and
// disarming probes whose condition has changed; detaching the probes of a script that asks for its end.
//
// A probe may sit inside the scheduler or in an NMI, where nothing can be woken. So a hit only raises an irq_work
// (one atomic test when one is on its way already); that queues a delayed work, and the work wakes. `pending` stays set
// until the work runs, so probes on the functions used here can't make the machine chase its own tail.
//
// The reader may be stopped, or wait for whoever reads its output. A script that has taken too much of the machine must
// not go on until it answers, so another work detaches the probes; the reader's request to stop does the rest.
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "kernel.h"

#define WAKE_INTERVAL_MS 10
#define ARM_INTERVAL_MS  10
#define RETRY_MS         50

static DECLARE_WAIT_QUEUE_HEAD(readers);
static struct irq_work raise_work;
static unsigned long pending; // bit 0

// Tries again while a request to the script is under way: a stop may last as long as the end probes do.
static void detach_probes(struct work_struct *work)
{
	if (stap_session_wants_detach() && !control_detach())
		schedule_delayed_work(to_delayed_work(work), msecs_to_jiffies(RETRY_MS));
}
static DECLARE_DELAYED_WORK(detach_work, detach_probes);

static void wake_readers(struct work_struct *work)
{
	clear_bit(0, &pending);
	smp_mb__after_atomic(); // whatever is written from here on raises again
	if (stap_session_wants_detach())
		schedule_delayed_work(&detach_work, 0);
	wake_up_interruptible(&readers);
}
static DECLARE_DELAYED_WORK(wake_work, wake_readers);

static void queue_wake(struct irq_work *work)
{
	schedule_delayed_work(&wake_work, msecs_to_jiffies(WAKE_INTERVAL_MS));
}

static struct irq_work raise_arming;
static unsigned long arming_pending; // bit 0

static void arm_probes(struct work_struct *work)
{
	clear_bit(0, &arming_pending);
	smp_mb__after_atomic(); // what changes from here on raises again
	if (!control_arm())
		schedule_delayed_work(to_delayed_work(work), msecs_to_jiffies(RETRY_MS));
}
static DECLARE_DELAYED_WORK(arm_work, arm_probes);

static void queue_arming(struct irq_work *work)
{
	schedule_delayed_work(&arm_work, msecs_to_jiffies(ARM_INTERVAL_MS));
}

void host_conditions_changed(void)
{
	if (!test_and_set_bit(0, &arming_pending))
		irq_work_queue(&raise_arming);
}

void host_wake_reader(void)
{
	if (test_bit(0, &pending) || test_and_set_bit(0, &pending))
		return;
	irq_work_queue(&raise_work);
}

int host_wait_for_reader(void)
{
	if (!control_has_reader() || host_interrupted())
		return -EINTR;
	wake_up_interruptible(&readers);
	schedule_timeout_killable(1);
	return 0;
}

struct wait_queue_head *wake_queue(void)
{
	return &readers;
}

void wake_init(void)
{
	init_irq_work(&raise_work, queue_wake);
	init_irq_work(&raise_arming, queue_arming);
}

// No handler runs any more.
void wake_exit(void)
{
	irq_work_sync(&raise_work);
	irq_work_sync(&raise_arming);
	cancel_delayed_work_sync(&arm_work);
	cancel_delayed_work_sync(&wake_work);
	cancel_delayed_work_sync(&detach_work);
}
