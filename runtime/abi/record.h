// SPDX-License-Identifier: GPL-2.0-or-later
// The one record format and the shared memory that carries it: what a running script writes and staprun reads.
//
// The shared area is mapped by the reader from /proc/stap_NAME (kernel) or a
// memfd (process). Layout, every offset from the start of the area:
//
//   0                    struct stap_shm        (one page; the findable mark)
//   shm.strings_offset   struct stap_shm_format[format_count], struct stap_shm_string[probe_count], then the bytes
//                        of their strings: constant while the script runs
//   shm.ring_addresses_offset  u64[ring_count]: where each ring lives in its writer's address space; 0: it is not
//                        there (yet), and its part of the area must not be touched
//   shm.ways_offset      struct stap_shm_way[probe_count]: how each probe gets its hits
//   shm.rings_offset     part of cpu 0, cpu 1..., of the session  each ring_stride bytes:
//        +0              struct stap_ring_writer  (own page, written by probes only)
//        +4096           struct stap_ring_reader  (own page, written by the reader only)
//        +8192           data, ring_size bytes (a power of two)
//   shm.skips_offset     in each part, skips_stride apart: table of skipped hits, u64[probe_count][STAP_SKIP_COLUMNS]
//
// A CPU's part is made when the CPU comes, and stays when it goes.
//
// A ring has one producer at a time (a CPU runs one handler at a time) and one
// reader. `head` and `tail` count bytes for ever; the position is taken modulo
// ring_size. A record never wraps: when it does not fit before the end, a PAD
// record fills the rest; when only 8 bytes are left the PAD has no time stamp.
// The producer keeps its own head in private memory and never trusts the reader's tail beyond "how much is free": a
// tail that makes no sense counts as a full ring.
//
// Accounting, exact and per ring: every record a handler tried to write is
// `produced`; each of them is either in the ring (delivered to the reader) or
// `lost`. PAD and LOST records are not counted. Where records were lost, a LOST record stands before the next one that
// fits. The last bytes of a ring are kept for records of errors, so that a flood does not drown the reason of its end.
//
// A hit that does not run its handler is counted by its probe and an enum stap_skip as column, in whichever table; the
// sum of the tables is the truth. The counters only rise, and may be read at any time.
//
// Order: a handler's records share one time stamp, taken when it writes its
// first. `active` is 0 while no handler is writing, 1 while one is about to take
// its stamp, else that stamp: the reader may emit everything older than the
// smallest active stamp, and than the present less a small slack.
#ifndef STAP_ABI_RECORD_H
#define STAP_ABI_RECORD_H

#include "registers_x86_64.h"
#include "symbols.h"
#include "types.h"

#define STAP_SHM_MAGIC        0x5354415052494e47ull /* "STAPRING" */
#define STAP_SHM_VERSION      12
#define STAP_RING_DATA_OFFSET 8192

enum stap_session_state {
	STAP_STATE_LOADED = 0,   // nothing has run yet
	STAP_STATE_STARTING = 1, // begin probes are running
	STAP_STATE_RUNNING = 2,
	STAP_STATE_STOPPING = 3, // exit() was called or an error ended the script: waiting for STOP
	STAP_STATE_STOPPED = 4,  // end or error probes have run; nothing more is written
};

struct stap_shm {
	u64 magic;
	u32 version;
	u32 size;         // of this structure
	u64 self_address; // where this structure lives in its writer's address space
	u64 total_size;   // of the whole area, in bytes
	u32 ring_count;   // one per possible CPU, and one of the session itself: begin, end and error probes, messages
	u32 ring_size;    // data bytes of one ring, a power of two
	u64 rings_offset;
	u64 ring_stride;
	u64 strings_offset; // of the tables of formats and probes
	u32 format_count;
	u32 probe_count;
	u32 state;       // enum stap_session_state
	u32 error_count; // errors so far (ERROR records may have been lost)
	u32 failed;      // 1: the script ended because of errors
	u32 target_pid;
	u32 skips_count; // tables of skipped hits: one in each ring's part
	// Of the probes that the host attaches: how many there are (0: attaching has not begun), and how many of them
	// are attached or were refused.
	u32 attach_total, attach_done;
	u32 wants_input;      // 1: of the reader's standard input bytes, 2: lines
	u32 wants_user_files; // what handlers want to know of programs and libraries, enum stap_user_files:
			      // STAP_IOC_USER_FILE
	u64 ring_addresses_offset;
	u64 skips_offset;
	u64 skips_stride;
	u64 ways_offset;
	char name[64]; // of the program
};

// Why a hit did not run its handler: the column of its counter.
enum stap_skip {
	STAP_SKIP_NESTED,  // a handler was running on this CPU already
	STAP_SKIP_LOCK,    // MAXTRYLOCK
	STAP_SKIP_STACK,   // MINSTACKSPACE
	STAP_SKIP_CONTEXT, // a process: no context was free; the kernel: there was no memory for the CPU's when it came
	STAP_SKIP_MISSED,  // the probe mechanism was busy with another probe's hit on this CPU
	STAP_SKIP_ACTIVE,  // more calls of a function at once than a return probe follows (KRETACTIVE)
	STAP_SKIP_REPORT,  // a timer that goes over whole arrays had a global that the handler needs
	STAP_SKIP_OVERRUN, // a timer came so late that it was due several times
	STAP_SKIP_REASONS,
};
#define STAP_SKIP_COLUMNS 8 // of a table

// Bytes [offset, offset+length) counted from shm.strings_offset. That of probe i is its probe point.
struct stap_shm_string {
	u32 offset;
	u32 length;
};

// The mechanism by which a probe is hit just now, for people to read: "ftrace", "kprobe (breakpoint)". Empty: nothing
// hits it, or the session itself runs it.
struct stap_shm_way {
	char text[32];
};

enum stap_arg_type {
	STAP_TYPE_LONG = 'n',
	STAP_TYPE_STRING = 's',
// Strings that the reader makes: the record holds the address, of a process with the space that it is in.
#define STAP_TYPE(NAME, letter, function) STAP_TYPE_##NAME = letter,
	STAP_KERNEL_SYMBOL_TYPES(STAP_TYPE) STAP_USER_SYMBOL_TYPES(STAP_TYPE) // struct stap_user_place
#undef STAP_TYPE
	STAP_TYPE_USYMS = STAP_USER_SYMBOLS, // of a struct stap_user_place that says whose, and a string of addresses
};

static inline int stap_type_is_user_symbol(char type)
{
	return type >= 'a' && type <= 'e';
}
// Does the reader make the argument's string of an address?
static inline int stap_type_is_symbol(char type)
{
	return (type >= 'A' && type <= 'Z') || stap_type_is_user_symbol(type) || type == STAP_TYPE_USYMS;
}

// A format of printf: what a record of it holds is known without reading its text.
struct stap_shm_format {
	struct stap_shm_string text;
	struct stap_shm_string arg_types; // one enum stap_arg_type for each argument
};

struct stap_ring_writer {
	u64 head;     // bytes ever written, published with release order
	u64 produced; // records handlers tried to write
	u64 lost;     // of these, how many did not fit
	u64 active;   // see "Order" above
};

struct stap_ring_reader {
	u64 tail;    // bytes ever consumed
	u64 waiting; // nonzero: the reader sleeps and wants to be woken; a new number each time it falls asleep; at
		     // first ~0
};

enum stap_record_kind {
	STAP_RECORD_PAD = 0,
	STAP_RECORD_TEXT = 1,            // payload: bytes for standard output
	STAP_RECORD_FORMAT = 2,          // payload: struct stap_record_format
	STAP_RECORD_WARN = 3,            // payload: text of a warning, for standard error, no newline
	STAP_RECORD_ERROR = 4,           // payload: text of an error, for standard error, no newline
	STAP_RECORD_SYSTEM = 5,          // payload: a shell command that system() asks for
	STAP_RECORD_TRACE = 6,           // payload: a line about the ERROR before it, for standard error, no newline
	STAP_RECORD_LOST = 7,            // payload: struct stap_record_lost
	STAP_RECORD_STACK = 8,           // payload: struct stap_record_stack
	STAP_RECORD_USER_STACK = 9,      // payload: struct stap_record_user_stack
	STAP_RECORD_USER_ADDRESSES = 10, // payload: struct stap_record_stack
	STAP_RECORD_NOTE = 11,           // payload: text of what is worth knowing, for standard error, no newline
};

// Length includes this header and is rounded up to 8 in the ring; `length` is exact. The CPU is the ring's.
struct stap_record {
	u32 length;
	u32 kind_and_probe; // stap_record_kind(), stap_record_probe()
	u64 time_ns;        // CLOCK_MONOTONIC, of a kernel script that of the initial time namespace
};

// The number of no probe: the record was not written by a handler.
#define STAP_NO_PROBE 0xffffffu

static inline u32 stap_kind_and_probe(u32 kind, u32 probe)
{
	return kind | probe << 8;
}
static inline u32 stap_record_kind(const struct stap_record *r)
{
	return r->kind_and_probe & 0xff; // enum stap_record_kind
}
static inline u32 stap_record_probe(const struct stap_record *r)
{
	return r->kind_and_probe >> 8;
}

// A deferred printf: the format's number, then its arguments in order, as the format's arg_types say: a long
// is 8 bytes, as is an address; a process's address is a struct stap_user_place; a string is u32 length, then the
// bytes; a string of a process's addresses has a struct stap_user_place before it; nothing is aligned.
struct stap_record_format {
	u32 format;
};

// Addresses to be printed with their names. Those of a process stand behind a struct stap_user_place that says whose.
struct stap_record_stack {
	u32 form;  // enum stap_stack_form
	u32 count; // u64 addresses follow
};

// A process's stack at the hit, which the reader unwinds.
struct stap_record_user_stack {
	u32 form;                                    // enum stap_stack_form
	u32 max_frames;                              // MAXBACKTRACE
	struct stap_user_place place;                // its address is that of the hit
	u64 registers[STAP_DWARF_REGISTER_LAST + 1]; // by their DWARF numbers
	u64 interrupted;                             // where the second part of the stack was; 0: there is none
	u32 first_size;                              // of the first part
	u32 reserved;
	// The bytes of the stack follow, from the stack pointer on, as many as could be read of STAP_USER_STACK. If
	// that is a stack of a signal handler's own (sigaltstack(2)), as many follow of the one that was interrupted.
};
#define STAP_USER_STACK 8192

// Records that were lost at this place of the ring.
struct stap_record_lost {
	u64 records;
};

// The file of a kernel script is /proc/stap_NAME, NAME being its module's; controls on it when it is open:
#define STAP_CONTROL_PREFIX "stap_"
// The files that a kernel script answers for itself are in /proc/stap_NAME.d; no module's name has a dot.
#define STAP_FILES_SUFFIX ".d"

struct stap_ioc_start {
	u64 kernel_text; // address of _stext in the running kernel, from kallsyms
	u32 target_pid;  // -x or the -c command, 0 when none
	u32 module_count;
	u64 modules; // user pointer to struct stap_ioc_module[module_count]
	u64 reserved[4];
};

// Where a loaded module's section starts (from /sys/module/NAME/sections).
struct stap_ioc_module {
	char name[64];
	char section[32];
	u64 address;
};

// A section whose address START must be given: the reader asks for index 0, 1, ... until -ENOENT.
struct stap_ioc_section {
	u32 index; // in
	u32 reserved;
	char name[64];    // out: the module
	char section[32]; // out
};

// The globals that hold the reader's time zone where a script has them (tapsets/time_zone.stp): seconds west of UTC,
// and its name. The reader sets them before START.
#define STAP_TIME_ZONE_OFFSET "time_zone.stp:__tz_gmtoff"
#define STAP_TIME_ZONE_NAME   "time_zone.stp:__tz_name"

// A value for a global long or string, before START: -ENOENT, -EINVAL when it does not fit the type.
struct stap_ioc_global {
	char name[64];
	u64 value; // user pointer to value_len bytes
	u32 value_len;
	u32 reserved;
};

// Bytes of the reader's standard input, at most STAP_INPUT_MAX; none: it has ended. Runs the handlers.
#define STAP_INPUT_MAX 4096
struct stap_ioc_input {
	u64 text; // user pointer to `len` bytes
	u32 len;
	u32 reserved;
};

// What a process had mapped executable, an entry of this kind for each mapping, then its path, filled up to 8 bytes.
// -ENOENT when that is not known (any more).
struct stap_ioc_space {
	u32 space; // struct stap_user_place
	u32 size;  // room in the buffer; what does not fit is not copied
	u64 buffer;
};

// Which spaces there are with a number above `space`, an entry of this kind for each.
struct stap_known_space {
	u32 space, process;
};

// What handlers want to know of programs and libraries.
enum stap_user_files {
	STAP_WANTS_USER_SYMBOLS = 1,   // names of addresses
	STAP_WANTS_USER_UNWINDING = 2, // who called
};

// That of one file, before START. Names end with 0, and the first one is the file's path.
struct stap_ioc_user_file {
	s32 fd;
	u32 names_size;
	u64 names;   // user pointer to names_size bytes
	u64 symbols; // user pointer to struct stap_file_symbol[symbol_count], by their offsets
	u64 rules;   // user pointer to struct stap_unwind_rule[rule_count], by their offsets
	u32 symbol_count, rule_count;
};

struct stap_file_symbol {
	u64 offset; // in the file
	u32 size;
	u32 name; // where it begins in the names
};

// Where the canonical frame address is (CFA; DWARF 5, 6.4): the caller's stack pointer. The return address is below it.
enum stap_unwind_base {
	STAP_UNWIND_UNKNOWN,
	STAP_UNWIND_OUTERMOST,  // nobody has called this code
	STAP_UNWIND_STACK,      // at rsp + cfa
	STAP_UNWIND_FRAME,      // at rbp + cfa
	STAP_UNWIND_FRAME_WORD, // in the word at rbp + cfa
	STAP_UNWIND_SIGNAL,     // a signal's frame is at rsp, with the registers that it has interrupted
};

// How code is unwound, from the offset to that of the next rule.
struct stap_unwind_rule {
	u32 offset; // in the file
	s32 cfa;
	s16 frame_pointer; // where the caller's rbp is, from the CFA; 0: in rbp still
	u8 base;           // enum stap_unwind_base
	u8 pushed_from;    // not 0: from this byte of each 16 on (.plt), the CFA is 8 higher
};

struct stap_user_mapping {
	u64 start, end;
	u64 offset;      // in the file
	u32 path_length; // 0: it is no file's
	u32 file;        // the script's own
};

#define STAP_IOC_START 0x40385301u // struct stap_ioc_start: checks build-ids, runs begin probes, arms the rest
// Ends a START that is still attaching, which returns 0, or what is running: what is left to be done is STOP. Does not
// wait.
#define STAP_IOC_CANCEL    0x00005306u
#define STAP_IOC_STOP      0x00005302u // disarms, runs end (or error) probes; the rings stay readable until close
#define STAP_IOC_RING_SIZE 0x40045303u // u32 bytes of one ring; takes the memory, which mmap needs; before START
#define STAP_IOC_SECTION   0xc0685304u // struct stap_ioc_section
#define STAP_IOC_GLOBAL    0x40505305u // struct stap_ioc_global
#define STAP_IOC_COUNT     0x00005307u // hits that the probe mechanisms dropped themselves go to the tables of skips
#define STAP_IOC_INPUT     0x40105309u // struct stap_ioc_input
#define STAP_IOC_CLOCK     0x80085306u // u64: the present by the clock of the time stamps
#define STAP_IOC_SPACE     0x40105308u // struct stap_ioc_space: returns how many bytes there are
#define STAP_IOC_USER_FILE 0x4028530bu // struct stap_ioc_user_file
#define STAP_IOC_SPACES    0x4010530au // struct stap_ioc_space, of struct stap_known_space: how many bytes were copied

#endif
