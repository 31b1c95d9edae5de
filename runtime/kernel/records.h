// SPDX-License-Identifier: GPL-2.0-or-later
// Records of trace events, made for handlers at the hits of their tracepoints.
#ifndef STAP_KERNEL_RECORDS_H
#define STAP_KERNEL_RECORDS_H

#include <linux/trace_events.h>
#include "kernel.h"

#define RECORD_STACK_ARGUMENTS 8 // at most; the kernel's trace events have 12 arguments at most, 5 of them in registers

// Makes the records of one trace event.
struct record_maker {
	struct trace_event_call call; // a copy of the event's own, whose records go to us
	u32 stack_arguments;
};

// Makes room for records. Process context, by one caller at a time; 0 or -errno: -EOPNOTSUPP where the kernel has no
// trace events or no perf events. Each that succeeds is taken back by a records_put(), when no record is being made.
int records_get(void);
void records_put(void);
// Fills in a maker of the event of that group and name, which a tracepoint with so many arguments has. Process context;
// 0 or -errno, -ENOENT: there is no such event. A module's event may be used until its tracepoint is unregistered.
int record_maker_init(struct record_maker *maker, const struct tracepoint *tp, const char *group, const char *name,
		      u32 arguments);
// Makes the record of a hit and runs the probe's handler on it, with these registers; a hit whose record can't be made
// is counted as missed. In the tracepoint's context. The arguments are as at the tracepoint's handler: five, and from
// the sixth on those on the stack.
void record_hit(struct record_maker *maker, struct stap_probe *p, const struct stap_regs *regs);

#endif
