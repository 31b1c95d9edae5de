// SPDX-License-Identifier: GPL-2.0-or-later
// The ways in which a probe gets its hits, and what describes each: the one table of them.
//
// program.h makes C structures of it, and the translator (sema/attach.h) structures of the same names and the code that
// prints them. A line of the table is KIND(NAME, Name, name, FIELDS):
//
//   STAP_ATTACH_NAME   in `kind` says that a probe is attached that way
//   attach.name        is its description, a struct stap_attach_name with the FIELDS
//   attach::Name       is the translator's structure
//
// FIELDS is a macro that calls FIELD(type, name) for each field. Its types are those of C and C++ alike: u64, s64,
// stap_text (a constant string), stap_code_place (a place in code) and stap_file_place (one in a program or library,
// see program.h).
//
// Kinds up to ERROR are the session's own: it runs these probes by rising priority, and they may wait. All others are
// attached by the host's mechanism of that kind (host.h).
#ifndef STAP_ABI_ATTACH_KINDS_H
#define STAP_ABI_ATTACH_KINDS_H

#define STAP_ATTACH_KINDS(KIND)                                                                                        \
	KIND(BEGIN, Begin, begin, STAP_FIELDS_PRIORITY)                  /* when the session starts */                 \
	KIND(END, End, end, STAP_FIELDS_PRIORITY)                        /* when it ends */                            \
	KIND(ERROR, Error, error, STAP_FIELDS_PRIORITY)                  /* instead of END when it ends by an error */ \
	KIND(TIMER, Timer, timer, STAP_FIELDS_TIMER)                     /* every so often, on one CPU */              \
	KIND(REPORT, Report, report, STAP_FIELDS_TIMER)                  /* every so often, in a thread: may wait */   \
	KIND(PROFILE, Profile, profile, STAP_FIELDS_PROFILE)             /* on every CPU; with registers */            \
	KIND(FUNCTION, Function, function, STAP_FIELDS_FUNCTION)         /* when it is reached; registers */           \
	KIND(RETURN, Return, function_return, STAP_FIELDS_RETURN)        /* when a function returns */                 \
	KIND(TRACEPOINT, Tracepoint, tracepoint, STAP_FIELDS_TRACEPOINT) /* registers as at an entry */                \
	KIND(UPROBE, Uprobe, uprobe, STAP_FIELDS_UPROBE)                 /* when a process reaches it; registers */    \
	KIND(URETPROBE, Uretprobe, uretprobe, STAP_FIELDS_URETPROBE)     /* when a process's function returns */       \
	KIND(PROCFS, Procfs, procfs, STAP_FIELDS_PROCFS)                 /* a file is read or written; values */       \
	KIND(PROCESS, Process, process, STAP_FIELDS_PROCESS)         /* at its events; registers at system calls */    \
	KIND(PERF, Perf, perf, STAP_FIELDS_PERF)                     /* every so many events; registers */             \
	KIND(WATCH, Watch, watch, STAP_FIELDS_WATCH)                 /* memory is accessed; registers */               \
	KIND(NETFILTER, Netfilter, netfilter, STAP_FIELDS_NETFILTER) /* a packet passes; values */                     \
	KIND(INPUT, Input, input, STAP_FIELDS_INPUT)                 /* the reader's input; values; may wait */

// Lower numbers run first.
#define STAP_FIELDS_PRIORITY(FIELD) FIELD(s64, priority)

// The interval is `interval_ns` give or take up to `randomize_ns`.
#define STAP_FIELDS_TIMER(FIELD) FIELD(u64, interval_ns) FIELD(u64, randomize_ns)

// 0: every tick of the kernel's clock.
#define STAP_FIELDS_PROFILE(FIELD) FIELD(u64, interval_ns)

#define STAP_FIELDS_FUNCTION(FIELD) FIELD(stap_code_place, place)

// The place is the function's entry. `max_active` calls are followed at once; 0: the host's default. At the
// return, event->data is the address of that entry.
#define STAP_FIELDS_RETURN(FIELD) FIELD(stap_code_place, place) FIELD(u64, max_active)

// Its `arguments` are where a function of the tracepoint's prototype has them at its entry. The module is "" for the
// kernel's own. With `record`, event->data is the record that the kernel makes of the trace event of that group and
// name.
#define STAP_FIELDS_TRACEPOINT(FIELD) \
	FIELD(stap_text, name)        \
	FIELD(stap_text, module) FIELD(stap_text, group) FIELD(u64, arguments) FIELD(u64, record)

#define STAP_FIELDS_UPROBE(FIELD) FIELD(stap_file_place, place)

// As STAP_FIELDS_RETURN. `max_active` counts only where the script wants values of the entry. `raise` and `rethrow` are
// where the program's unwinder begins, without a path when it has none.
#define STAP_FIELDS_URETPROBE(FIELD)  \
	FIELD(stap_file_place, place) \
	FIELD(u64, max_active) FIELD(stap_file_place, raise) FIELD(stap_file_place, rethrow)

// A file below the script's directory in /proc. What a reader gets, at most `size` bytes, or a writer has written is
// the text of the event's values (event.h).
#define STAP_FIELDS_PROCFS(FIELD) FIELD(stap_text, path) FIELD(u64, mode) FIELD(u64, size) FIELD(u64, is_write)

// `type` and `config` are those of struct perf_event_attr. There is a hit every `sample` events, or `hz` times a
// second; with neither the event is only counted, and `counter` is its name. `bound`: it belongs to the threads of
// processes that run `program`, whose first instruction is at `start`, or, where that is "", of process `pid` (0: the
// one that the script is run for), and to what these fork; else there is one on every CPU.
#define STAP_FIELDS_BINDING(FIELD) \
	FIELD(u64, bound) FIELD(stap_text, program) FIELD(u64, pid) FIELD(stap_file_place, start)
#define STAP_FIELDS_PERF(FIELD) \
	FIELD(u64, type)        \
	FIELD(u64, config) FIELD(u64, sample) FIELD(u64, hz) FIELD(stap_text, counter) STAP_FIELDS_BINDING(FIELD)

// Writes of the `length` bytes (1, 2, 4 or 8) at the place, and with `reads` also reads; bound as above. `from_entry`:
// the place's address counts from where the program is entered (AT_ENTRY, getauxval(3)).
#define STAP_FIELDS_WATCH(FIELD)      \
	FIELD(stap_code_place, place) \
	FIELD(u64, length) FIELD(u64, reads) FIELD(u64, from_entry) STAP_FIELDS_BINDING(FIELD)

// The numbers are those of <linux/netfilter.h>. The event's values are the hook, the family, and the addresses of the
// packet's struct sk_buff and of the devices that it comes from and goes to; the result is the verdict.
#define STAP_FIELDS_NETFILTER(FIELD) FIELD(u64, pf) FIELD(u64, hook) FIELD(s64, priority)

// The text of the event's values is a byte of the reader's standard input, or with `lines` a line.
#define STAP_FIELDS_INPUT(FIELD) FIELD(u64, lines)

// An enum stap_process_event of the processes that run the file at `path`, if it is not empty, and of no other process
// than `pid`, if it is not 0. With staprun's -x or -c they are target() and its descendants only. System calls pass
// their values (event.h): the number, then six arguments or the result.
#define STAP_FIELDS_PROCESS(FIELD) FIELD(u64, event) FIELD(stap_text, path) FIELD(u64, pid)
enum stap_process_event {
	STAP_PROCESS_BEGIN,
	STAP_PROCESS_END,
	STAP_PROCESS_THREAD_BEGIN, // of another thread than the first
	STAP_PROCESS_THREAD_END,
	STAP_PROCESS_SYSCALL,
	STAP_PROCESS_SYSCALL_RETURN,
	STAP_PROCESS_EVENTS,
};

#endif
