// SPDX-License-Identifier: GPL-2.0-or-later
// The descriptor of a compiled script: limits, probes, globals, formats and places, all constant data.
//
// One prebuilt runtime serves every script on a kernel: everything that differs
// between scripts is here. Emitted C defines exactly one `stap_program`.
#ifndef STAP_ABI_PROGRAM_H
#define STAP_ABI_PROGRAM_H

#include "attach_kinds.h"
#include "bounds.h"
#include "map.h"
#include "print.h"
#include "regex.h"
#include "task.h"

#define STAP_ABI_VERSION 1

struct stap_limits {
	u32 max_string_len;           // MAXSTRINGLEN
	s32 max_action;               // MAXACTION
	s32 max_action_interruptible; // for begin, end and error probes, and reports
	u32 max_atomic_time_us;       // MAXATOMICTIME, microseconds behind the first STAP_BUDGET_PART actions
	u32 max_try_lock;             // MAXTRYLOCK
	u32 try_lock_delay_us;        // TRYLOCKDELAY
	s32 max_nesting;              // MAXNESTING, computed by the translator unless given
	s32 max_errors;               // MAXERRORS
	s32 max_skipped;              // MAXSKIPPED
	u32 min_stack_space;          // MINSTACKSPACE
	u32 max_backtrace;            // MAXBACKTRACE, frames; at most STAP_MAX_BACKTRACE
	u64 overload_interval;        // STP_OVERLOAD_INTERVAL, cycles; 0: STP_NO_OVERLOAD
	u64 overload_threshold;       // STP_OVERLOAD_THRESHOLD, cycles
	u32 arena_size;               // of one context, bytes
	u32 ring_size;                // -s, bytes per CPU; 0: the host's default
	u32 suppress_handler_errors;
	u32 timing;       // -t / STP_TIMING
	u32 alibi;        // STP_ALIBI: hits are counted, handlers don't run; implies timing
	u32 hist_width;   // HIST_WIDTH, columns of the bars
	s32 hist_elision; // HIST_ELISION, empty rows kept at each side of a gap; negative: all rows
};

// A place in the script. Errors print "near WORD at FILE:LINE:COL". By convention
// places[0] is all zero: "nowhere", nothing is printed.
struct stap_place {
	const char *file;
	u32 line, col;
	const char *word; // "operator '/'", "identifier 'foo'"
	const char *text; // the script's line, trimmed; NULL: not shown
};

// A place in code.
typedef struct stap_code_place {
	const char
		*module; // NULL: the kernel; with a symbol also: it names its module itself, if it is not the kernel's
	const char *section; // of the module; NULL: ".text"
	u64 offset;          // from the kernel's _stext or from the section's start
	const char *symbol;  // NULL, or a name that the kernel is to look up ("module:name"): the offset is not known
	u64 address;         // not 0: that of the running kernel; nothing else is known
} stap_code_place;
typedef const char *stap_text;

// A place in the code of a program or library, in every process that has the file mapped.
typedef struct stap_file_place {
	const char *path;
	u64 offset;    // in the file
	u64 address;   // the same place as the file counts addresses; less of the hit's: the load bias
	u64 code;      // the 8 bytes that are there, the first one lowest; they must be there when it is attached
	u64 semaphore; // not 0: where in the file a 16-bit counter is that is not 0 while somebody listens
	const char *executable; // not NULL: only processes that run this program
	u64 pid;                // not 0: only this process
} stap_file_place;

enum stap_attach_kind {
	STAP_ATTACH_NONE,
#define STAP_KIND(NAME, Name, name, FIELDS) STAP_ATTACH_##NAME,
	STAP_ATTACH_KINDS(STAP_KIND)
#undef STAP_KIND
};

#define STAP_FIELD(type, name) type name;
#define STAP_KIND(NAME, Name, name, FIELDS) \
	struct stap_attach_##name {         \
		FIELDS(STAP_FIELD)          \
	};
STAP_ATTACH_KINDS(STAP_KIND)
#undef STAP_KIND
#undef STAP_FIELD

// How a probe gets its hits.
struct stap_attach {
	u32 kind; // enum stap_attach_kind; says which member is in use
	union {
#define STAP_KIND(NAME, Name, name, FIELDS) struct stap_attach_##name name;
		STAP_ATTACH_KINDS(STAP_KIND)
#undef STAP_KIND
	};
};

struct stap_lock_use {
	u16 global; // index into program->globals
	u16 write;  // 1: exclusive, 0: shared
};

struct stap_probe {
	const char *point;               // pp(): the resolved probe point
	const char *place;               // "script.stp:3:1", for -t and messages
	const char *script_point;        // pn(): the alias that the script names; NULL when it names none
	const char *derivation;          // for -t: "alias <- alias of it"; NULL when the script names the point itself
	const char *function;            // of a probe on a function: its name; NULL elsewhere
	void (*hit)(struct stap_ctx *c); // the handler
	// Of a return probe that needs values of the function's entry: runs there and fills event->saved, which the hit
	// at the return then gets. When it fails, this call is not followed.
	void (*entry)(struct stap_ctx *c);
	u32 saved_longs;                   // how many words `entry` fills
	const struct stap_lock_use *locks; // sorted by global
	u32 lock_count;
	u32 index;
	u32 cost; // cycles that a hit takes besides the core's work, as the host knows; filled in when it is attached
	const u32 *formats; // numbers of those that are this probe's own, for a handler that several probes share
	struct stap_attach attach;
	void *state;          // what the host's mechanism keeps of it; NULL when there is nothing to be kept
	u32 is_attached;      // its hits come, or have come until it was detached
	u32 is_disarmed;      // for the time being they don't: its condition does not hold
	const u32 *condition; // of `if`: whether it holds; NULL: the probe has none
};

enum stap_global_kind { STAP_GLOBAL_LONG, STAP_GLOBAL_STR, STAP_GLOBAL_STAT, STAP_GLOBAL_MAP };

struct stap_global {
	const char *name;
	u32 kind;
	u32 lock;                               // lock word: 0 free, n readers, 0x80000000 a writer
	u32 writers_waiting;                    // readers let them go first
	void *object;                           // stap_long, struct stap_global_str, struct stap_stat, struct stap_map
	const struct stap_map_layout *layout;   // MAP
	const struct stap_histogram *histogram; // STAT
	struct stap_str initial_str;            // STR
};

// The address of a variable or function, resolved when the script starts.
struct stap_symbol {
	const char *module; // NULL: the kernel
	const char *section;
	u64 offset;
	u64 address; // filled in by the host
};

// A symbol whose name no other symbol of the module has, and how far into its section it lies. By that the section is
// found in a module that is being loaded, when the kernel does not yet tell where its sections are.
struct stap_anchor {
	const char *section;
	const char *symbol;
	u64 offset;
};

struct stap_module_id {
	const char *module; // NULL or "kernel"
	u8 build_id[20];
	u32 build_id_len;
	u64 notes_offset;                  // of the kernel's build-id note, from _stext; of a file's, in the file
	const char *path;                  // not NULL: a program or library, and no module
	const struct stap_anchor *anchors; // of a module's sections
	u32 anchor_count;
};

struct stap_program {
	u32 abi_version;
	const char *name; // of the module
	struct stap_limits limits;
	struct stap_probe *probes;
	u32 probe_count;
	struct stap_global *globals;
	u32 global_count;
	const struct stap_format *formats;
	u32 format_count;
	const struct stap_place *places;
	u32 place_count;
	struct stap_symbol *symbols;
	u32 symbol_count;
	const struct stap_module_id *modules; // whose build-id must match, where it has one here
	u32 module_count;
	const char *const *args; // script arguments, for -v
	u32 arg_count;
	void (*conditions)(struct stap_ctx *c); // evaluates all conditions of probes; NULL: there are none
	u32 match_groups;     // the most subexpressions matched() may be asked for; 0: the script never asks
	u32 wants_user_files; // enum stap_user_files
};

extern struct stap_program stap_program;

// What a condition of probes has come to, said with the locks of its globals held by who may have changed them.
// `failed` is c->failed from before it was evaluated: an error of the evaluation is dropped, and the condition holds
// then.
void stap_condition_changed(struct stap_ctx *c, u32 *condition, u32 holds, u32 failed);
static inline void stap_condition_set(struct stap_ctx *c, u32 *condition, u32 holds, u32 failed)
{
	if (STAP_UNLIKELY(*condition != holds || c->failed != failed))
		stap_condition_changed(c, condition, holds, failed);
}

#endif
