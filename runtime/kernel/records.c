// SPDX-License-Identifier: GPL-2.0-or-later
// Records of trace events: what TP_fast_assign computes out of a tracepoint's arguments is code of the kernel, which is
// called here for each hit whose handler wants it.
//
// For every class of events the kernel has a function perf_trace_CLASS(struct trace_event_call *call, arguments...),
// which makes the record in a buffer of perf's and passes it to the perf events in the list of this CPU,
// call->perf_events (include/trace/perf.h). It is called with a copy of the event's structure that has a list of our
// own, with one perf event that is never enabled, and whose overflow handler therefore is called for our own records
// only. So the record comes while the tracepoint's own handler still has the arguments, nothing is registered with the
// tracepoint besides, and perf's own users are not concerned.
//
// Perf has its buffers while it knows of an event of the type PERF_TYPE_TRACEPOINT; that is the anchor, one that is
// off, of a tracepoint that is rare.
#include "records.h"
#include <linux/err.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include "compat.h"

#if defined(CONFIG_EVENT_TRACING) && defined(CONFIG_PERF_EVENTS)

// A hit whose record is being made, on the stack of record_hit().
struct record_frame {
	struct stap_probe *probe;
	const struct stap_regs *regs;
	bool has_run;
};

static struct {
	u32 users;
	struct perf_event *anchor;
	struct hlist_head __percpu *lists;        // of one event each
	struct record_frame *__percpu *innermost; // the hit of each CPU that is at work: an interrupt's goes first
	struct perf_event **receivers;            // [nr_cpu_ids]
} records;

static notrace void record_made(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct record_frame *frame = *this_cpu_ptr(records.innermost);
	struct stap_event hit = {.regs = frame->regs};

	if (!data->raw)
		return;
	hit.data = (void *)data->raw->frag.data;
	frame->has_run = true;
	stap_hit(frame->probe, &hit);
}
NOKPROBE_SYMBOL(record_made);

// The number by which perf knows an event, or -errno.
static int event_number(const char *group, const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, group, name);
	int number;

	if (IS_ERR(file))
		return PTR_ERR(file);
	number = file->event_call->event.type;
	trace_put_event_file(file);
	return number;
}

static struct perf_event *make_anchor(int cpu)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .disabled = 1};
	const int number = event_number("module", "module_load");

	if (number < 0)
		return ERR_PTR(number);
	attr.config = number;
	return perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
}

static void free_records(void)
{
	unsigned int cpu;

	if (records.anchor)
		perf_event_release_kernel(records.anchor);
	for_each_possible_cpu(cpu) if (records.receivers) kfree(records.receivers[cpu]);
	kfree(records.receivers);
	free_percpu(records.innermost);
	free_percpu(records.lists);
	memset(&records, 0, sizeof(records));
}

// All that perf looks at when it passes a record on.
static struct perf_event *make_receiver(void)
{
	struct perf_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return NULL;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.sample_type = PERF_SAMPLE_RAW;
	event->attr.sample_period = 1;
	event->hw.sample_period = 1;
	event->hw.last_period = 1;
	event->state = PERF_EVENT_STATE_ACTIVE;
	event->overflow_handler = record_made;
	return event;
}

static int make_records(void)
{
	struct perf_event *anchor;
	unsigned int cpu;

	records.receivers = kcalloc(nr_cpu_ids, sizeof(*records.receivers), GFP_KERNEL);
	records.lists = alloc_percpu(struct hlist_head);
	records.innermost = alloc_percpu(struct record_frame *);
	if (!records.receivers || !records.lists || !records.innermost)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
	{
		records.receivers[cpu] = make_receiver();
		if (!records.receivers[cpu])
			return -ENOMEM;
		hlist_add_head(&records.receivers[cpu]->hlist_entry, per_cpu_ptr(records.lists, cpu));
	}
	anchor = make_anchor(raw_smp_processor_id());
	if (IS_ERR(anchor))
		return PTR_ERR(anchor);
	records.anchor = anchor;
	return 0;
}

int records_get(void)
{
	const int rc = records.users ? 0 : make_records();

	if (rc)
		free_records();
	else
		records.users++;
	return rc;
}

void records_put(void)
{
	if (!--records.users)
		free_records();
}

int record_maker_init(struct record_maker *maker, const struct tracepoint *tp, const char *group, const char *name,
		      u32 arguments)
{
	struct trace_event_file *file = trace_get_event_file(NULL, group, name);
	const struct trace_event_call *call;
	int rc = 0;

	if (IS_ERR(file))
		return -ENOENT;
	call = file->event_call;
	if (call->flags & TRACE_EVENT_FL_TRACEPOINT && call->tp == tp && call->class->perf_probe)
		maker->call = *call;
	else
		rc = -ENOENT;
	trace_put_event_file(file);
	maker->call.perf_events = records.lists;
	maker->call.prog_array = NULL;
	// Perf passes records about a task also to the task's own events of the same number; there is none of this one.
	maker->call.event.type = 0;
	maker->stack_arguments = arguments > 5 ? arguments - 5 : 0;
	return maker->stack_arguments > RECORD_STACK_ARGUMENTS ? -E2BIG : rc;
}

// The convention allows to pass more arguments than a function takes.
typedef void (*perf_probe)(void *call, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long,
			   unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long,
			   unsigned long, unsigned long);

notrace void record_hit(struct record_maker *maker, struct stap_probe *p, const struct stap_regs *regs)
{
	const perf_probe make = (perf_probe)maker->call.class->perf_probe;
	const unsigned long *above = (const unsigned long *)regs->sp + 1; // the return address
	unsigned long s[RECORD_STACK_ARGUMENTS] = {};
	struct record_frame frame = {.probe = p, .regs = regs}, *outer;
	u32 i;

	for (i = 0; i < maker->stack_arguments; i++)
		s[i] = above[i];
	preempt_disable_notrace();
	outer = *this_cpu_ptr(records.innermost);
	*this_cpu_ptr(records.innermost) = &frame;
	barrier();
	make(&maker->call, regs->si, regs->dx, regs->cx, regs->r8, regs->r9, s[0], s[1], s[2], s[3], s[4], s[5], s[6],
	     s[7]);
	barrier();
	*this_cpu_ptr(records.innermost) = outer;
	preempt_enable_notrace();
	if (!frame.has_run)
		stap_session_missed(p, STAP_SKIP_MISSED, 1);
}
NOKPROBE_SYMBOL(record_hit);

#else

int records_get(void)
{
	return -EOPNOTSUPP;
}

void records_put(void)
{
}

int record_maker_init(struct record_maker *maker, const struct tracepoint *tp, const char *group, const char *name,
		      u32 arguments)
{
	return -EOPNOTSUPP;
}

void record_hit(struct record_maker *maker, struct stap_probe *p, const struct stap_regs *regs)
{
}

#endif
