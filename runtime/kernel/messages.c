// SPDX-License-Identifier: GPL-2.0-or-later
// Messages to the reader that are no output of the script: warnings, errors, notes.
//
// They are records of the session itself, which only one may write at a time. Who comes by, as the loader of a module
// does, must not wait for that: the reader may have been stopped. So such messages are kept until a work finds that
// nobody else writes.
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "kernel.h"

#define MESSAGE_RETRY_MS 50

struct message {
	struct list_head list;
	u32 kind;
	char text[];
};

static LIST_HEAD(messages);
static DEFINE_SPINLOCK(messages_guard);

void report(struct stap_program *p, u32 record_kind, const char *format, ...)
{
	char text[512];
	va_list args;
	u32 len;

	va_start(args, format);
	len = vscnprintf(text, sizeof(text), format, args);
	va_end(args);
	stap_emit_outside(record_kind, (struct stap_str){text, len});
}

static void report_messages(void)
{
	struct message *m, *following;
	LIST_HEAD(taken);

	spin_lock(&messages_guard);
	list_splice_init(&messages, &taken);
	spin_unlock(&messages_guard);
	list_for_each_entry_safe(m, following, &taken, list)
	{
		stap_emit_outside(m->kind, stap_cstr(m->text));
		kfree(m);
	}
}

static void deliver(struct work_struct *work)
{
	if (!control_try(report_messages))
		schedule_delayed_work(to_delayed_work(work), msecs_to_jiffies(MESSAGE_RETRY_MS));
}
static DECLARE_DELAYED_WORK(messages_work, deliver);

void report_later(u32 record_kind, const char *format, ...)
{
	struct message *m;
	va_list args, again;
	int len;

	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, args);
	m = kmalloc(sizeof(*m) + len + 1, GFP_KERNEL);
	if (m) {
		vsnprintf(m->text, len + 1, format, again);
		m->kind = record_kind;
		spin_lock(&messages_guard);
		list_add_tail(&m->list, &messages);
		spin_unlock(&messages_guard);
		schedule_delayed_work(&messages_work, 0);
	}
	va_end(again);
	va_end(args);
}

void messages_flush(void)
{
	cancel_delayed_work_sync(&messages_work);
	report_messages();
}

void messages_exit(void)
{
	struct message *m, *following;

	cancel_delayed_work_sync(&messages_work);
	list_for_each_entry_safe(m, following, &messages, list) kfree(m);
}
