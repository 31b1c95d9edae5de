// SPDX-License-Identifier: GPL-2.0-or-later
// The per-CPU context a handler runs on: budget, errors, string arena, registers.
//
// A handler runs like this (emitted by emit/probe):
//
//   static void probe_1(struct stap_ctx *c)
//   {
//           ...                        // locks named by the probe's lock list are held here
//   out:;
//   }
//
// The core calls it (stap_hit) when the session is running and a context and the locks are to be had; it reports
// c->failed, drops the locks and accounts the time afterwards.
//
// Errors do not unwind: an operation that fails sets c->failed (and the message)
// and returns 0 or an empty string; emitted code tests it after each operation
// that can fail and jumps to the innermost catch or to `out`.
//
// String arena: a block per context, used from both ends. From the bottom the
// storage of local string variables (struct stap_strvar) grows with calls and is
// released when a function returns. From the top temporaries grow downwards and
// are released at the end of each statement. Running out is a run-time error.
#ifndef STAP_ABI_CONTEXT_H
#define STAP_ABI_CONTEXT_H

#include "types.h"

struct stap_cpu;
struct stap_probe;
struct stap_probe_time;
struct stap_program;
struct stap_regex;

// The registers at the hit: x86-64 struct pt_regs, an ABI of the kernel (uapi/asm/ptrace.h).
struct stap_regs {
	u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	u64 orig_ax, ip, cs, flags, sp, ss;
};

// One hit, as the host's mechanism passes it to the handler. It lives on the mechanism's stack until the handler
// returns.
struct stap_event {
	const struct stap_regs *regs; // NULL where the probe point has none (begin, timers in a process)
	stap_long *saved;             // of a return probe: what its `entry` has saved of this call (@entry); else NULL
	void *data; // what this kind of probe passes besides; its structure is the kind's. NULL: nothing
	// What the handler tells the mechanism, where the kind of probe has a use for it. The mechanism says what it
	// is when no handler runs, or the handler sets nothing.
	stap_long result;
};

// What a handler could not read. The number is kept with the values of a function's entry, a byte for each.
enum stap_fault { STAP_FAULT_NONE, STAP_FAULT_KERNEL_READ, STAP_FAULT_USER_READ, STAP_FAULT_NO_REGISTERS };

#define STAP_ERROR_MAX 256
#define STAP_TRACE_MAX 16

struct stap_ctx {
	char *stack_top; // the end of a stack of the context's own; NULL: the run stays on the stack of whoever was hit
	const struct stap_probe *probe;
	struct stap_event *event;        // never NULL
	s32 budget;                      // actions left (MAXACTION)
	s32 budget_more;                 // actions that it may spend besides, a part at a time
	s32 nesting;                     // function calls left (MAXNESTING)
	void (*run)(struct stap_ctx *c); // the probe's `hit` or `entry`
	char *stack_low; // of the stack that the run is on; calls must leave stack_reserve bytes above it
	u32 stack_reserve;
	u32 place;   // index into program->places of the operation that may fail
	u32 failed;  // an error is pending
	char *arena; // [arena, arena + arena_size)
	u32 arena_size;
	u32 arena_low;  // bytes used from the bottom
	u32 arena_high; // start of the temporaries
	u32 error_len;
	char error[STAP_ERROR_MAX]; // message of the pending or the caught error
	u32 fault;                  // enum stap_fault of the pending error; STAP_FAULT_NONE when it is of another kind
	u64 fault_address;          // of a read fault
	// The way of the pending error out of the script's functions. Each element is the place of a call that the
	// error has left, innermost first, as an index into program->places. When there are more calls than elements,
	// the last element is overwritten by each further call, so that the outermost one is known. No meaning without
	// an error.
	u32 trace[STAP_TRACE_MAX];
	// How many calls the error has left. An error that refuses a call (MAXNESTING) starts at -1, because the
	// emitted code leaves that call too, although it was never entered.
	s32 trace_count;
	u64 stamp_ns; // time stamp shared by this run's records, 0: none yet
	u64 start_cycles;
	u64 pinned;                    // what host_unpin() gives back
	u64 atomic_end_ns;             // when it must have ended, once it has asked for more actions; ~0: never
	u64 random;                    // state of the generator of stap_random(); 0: not begun
	struct stap_probe_time *times; // [probe_count]
	struct stap_cpu *home;         // the session's CPU that it belongs to
	u32 slot;                      // index into the session's CPUs; the last one is the session's own
	u32 busy;                      // a handler is running on this context
	u32 locked;                    // how many of the probe's locks are held
	u32 missing;                   // which of them could not be had
	u32 flags;
	u32 passed_on; // the function called last left the call to its next overload
	struct stap_session *session;
	// The last match of =~, for matched(); storage only when the program asks (stap_program.match_groups).
	const struct stap_regex *match; // NULL: none, or it failed
	char *match_text;               // [MAXSTRINGLEN] what was matched
	u32 *match_groups;              // where its subexpressions are, once match_divided
	u32 match_len;
	u8 match_before, match_after; // what stood around it (regex.h)
	u8 match_divided;
};

// Sets the pending error: "MESSAGE near WORD at FILE:LINE:COL" is made from c->place
// when the error is reported or caught. The first error wins.
void stap_fail(struct stap_ctx *c, struct stap_str message);
void stap_fail_cstr(struct stap_ctx *c, const char *message);
// error() of the script: the message is taken as it is, without "near".
void stap_fail_script(struct stap_ctx *c, struct stap_str message);
// try/catch: clears the pending error and returns its message, without its place: scripts compare it (arena temporary).
// MAXACTION errors can't be caught: returns with failed still set.
struct stap_str stap_catch(struct stap_ctx *c);

// The pending error leaves a call that stands at program->places[place]. Emitted after the test of `failed` behind a
// call of a script function: a call that succeeds pays nothing.
void stap_unwind(struct stap_ctx *c, u32 place);

// Spends n actions; out of them is the error "MAXACTION exceeded".
static inline void stap_actions(struct stap_ctx *c, s32 n)
{
	extern void stap_fail_budget(struct stap_ctx * c);
	c->budget -= n;
	if (STAP_UNLIKELY(c->budget < 0))
		stap_fail_budget(c);
}

// Work that no statement stands for, such as an entry that a sort moves or that a slice passes over: so many steps cost
// an action. Handlers that may wait spend nothing for it, but let others have the processor. Nonzero: the handler ends.
#define STAP_STEPS_PER_ACTION 32
int stap_spend_steps(struct stap_ctx *c, u64 steps);
static inline int stap_step(struct stap_ctx *c, u32 *steps)
{
	return STAP_UNLIKELY(++*steps % STAP_STEPS_PER_ACTION == 0) && stap_spend_steps(c, STAP_STEPS_PER_ACTION);
}

// A call of a script function: 0 when it may go on, else the error is set
// (MAXNESTING exceeded, or too little of the stack is left).
int stap_call_enter(struct stap_ctx *c);
static inline void stap_call_leave(struct stap_ctx *c)
{
	c->nesting++;
}

// --- strings -------------------------------------------------------------

// A local string variable or parameter copy. Starts zeroed: the empty string.
struct stap_strvar {
	char *ptr;
	u32 len;
	u32 cap;
};

struct stap_marks {
	u32 low, high;
};

static inline u32 stap_temps(const struct stap_ctx *c)
{
	return c->arena_high;
}
static inline void stap_temps_release(struct stap_ctx *c, u32 mark)
{
	c->arena_high = mark;
}

static inline struct stap_marks stap_frame(const struct stap_ctx *c)
{
	return (struct stap_marks){c->arena_low, c->arena_high};
}
static inline void stap_frame_release(struct stap_ctx *c, struct stap_marks m)
{
	c->arena_low = m.low;
	c->arena_high = m.high;
}
// Ends a function that returns a string: releases its storage, keeps `s` as a temporary of the caller.
struct stap_str stap_frame_return(struct stap_ctx *c, struct stap_marks m, struct stap_str s);

static inline struct stap_str stap_strvar_get(const struct stap_strvar *v)
{
	return (struct stap_str){v->ptr, v->len};
}
void stap_strvar_set(struct stap_ctx *c, struct stap_strvar *v, struct stap_str s);

// n bytes of temporary storage, or NULL with the error set.
char *stap_temp_alloc(struct stap_ctx *c, u32 n);
// A copy as a temporary, cut at MAXSTRINGLEN - 1 on a UTF-8 boundary.
struct stap_str stap_str_copy(struct stap_ctx *c, struct stap_str s);
struct stap_str stap_concat(struct stap_ctx *c, struct stap_str a, struct stap_str b);
// The same of `count` strings, as if joined from left to right.
struct stap_str stap_concat_list(struct stap_ctx *c, const struct stap_str *parts, u32 count);
// <0, 0, >0, bytewise as strcmp.
int stap_str_cmp(struct stap_str a, struct stap_str b);
static inline int stap_str_eq(struct stap_str a, struct stap_str b)
{
	return a.len == b.len && (a.len == 0 || !__builtin_memcmp(a.ptr, b.ptr, a.len));
}
// The slice of a NUL-terminated string.
struct stap_str stap_cstr(const char *s);

// --- values saved at a function's entry ------------------------------------

// A value that can't be read when a function is entered is an error only when the handler uses it at the return: most
// handlers look at some of the calls only. The words after the values hold a byte for each, its enum stap_fault;
// `faults` is the first of these words.
static inline u8 *stap_saved_fault(const struct stap_event *event, u32 faults, u32 index)
{
	return (u8 *)(event->saved + faults) + index;
}
// At the entry: takes the pending error back and keeps it instead of value number `index`, which starts at the word
// `offset`. Nonzero: it is no fault and stays pending.
int stap_saved_keep_fault(struct stap_ctx *c, u32 offset, u32 faults, u32 index);
// At the return: sets the error that was kept.
void stap_saved_fail(struct stap_ctx *c, u32 offset, u32 faults, u32 index);

// --- arithmetic ----------------------------------------------------------

// Wraps on overflow; "division by 0" is an error. INT64_MIN / -1 is INT64_MIN.
stap_long stap_div(struct stap_ctx *c, stap_long a, stap_long b);
stap_long stap_mod(struct stap_ctx *c, stap_long a, stap_long b);
#define stap_add(a, b) ((stap_long)((u64)(a) + (u64)(b)))
#define stap_sub(a, b) ((stap_long)((u64)(a) - (u64)(b)))
#define stap_mul(a, b) ((stap_long)((u64)(a) * (u64)(b)))
#define stap_neg(a)    ((stap_long)(0 - (u64)(a)))
#define stap_shl(a, b) ((stap_long)((u64)(a) << ((u64)(b)&63)))
#define stap_shr(a, b) ((stap_long)(a) >> ((u64)(b)&63))

// --- memory of the traced kernel or process ------------------------------

// Register by its DWARF number (System V psABI AMD64, figure 3.36); 16 is the instruction pointer.
u64 stap_reg(struct stap_ctx *c, u32 dwarf_number);
// The same of the process that runs: what it had when it entered the kernel. An error where there is none.
u64 stap_user_reg(struct stap_ctx *c, u32 dwarf_number);
// Argument n (0-based) of a function called by the System V AMD64 convention, read at its entry.
u64 stap_call_arg(struct stap_ctx *c, u32 n);
// The thread pointer of the process that runs, the base of fs; an error where there is none.
u64 stap_thread_pointer(struct stap_ctx *c);
// Where a library's block of thread-local variables is, by the library's number; an error when the thread has none yet.
// The tables are those of glibc.
u64 stap_tls_block(struct stap_ctx *c, u64 module);
// A guru write of a register: the probed code goes on with the value.
void stap_reg_set(struct stap_ctx *c, u32 dwarf_number, stap_long value);
// Loads 1, 2, 4 or 8 bytes, sign-extended when asked. A fault is the error
// "kernel read fault at 0xADDR (addr) near operator WORD" and 0.
stap_long stap_kread(struct stap_ctx *c, u64 address, u32 size, int is_signed);
stap_long stap_uread(struct stap_ctx *c, u64 address, u32 size, int is_signed);
// Guru writes of the low 1, 2, 4 or 8 bytes of a value. A fault is the error "kernel write fault at 0xADDR (addr)".
void stap_kwrite(struct stap_ctx *c, u64 address, u32 size, stap_long value);
void stap_uwrite(struct stap_ctx *c, u64 address, u32 size, stap_long value);
// A loaded value with `width` bits from bit `shift` replaced.
static inline stap_long stap_bits_set(stap_long loaded, u32 shift, u32 width, stap_long value)
{
	u64 mask = (width < 64 ? (1ull << width) - 1 : ~0ull) << shift;
	return (stap_long)(((u64)loaded & ~mask) | (((u64)value << shift) & mask));
}
// Bit-field: `width` bits from bit `shift` (counted from the least significant) of a loaded value.
static inline stap_long stap_bits(stap_long value, u32 shift, u32 width, int is_signed)
{
	u64 v = (u64)value << (64 - shift - width);
	return is_signed ? (stap_long)v >> (64 - width) : (stap_long)(v >> (64 - width));
}
// NUL-terminated string at an address, at most `max` bytes (0: MAXSTRINGLEN - 1).
struct stap_str stap_kread_str(struct stap_ctx *c, u64 address, u32 max);
struct stap_str stap_uread_str(struct stap_ctx *c, u64 address, u32 max);
// Run-time address of something in the kernel or in a module ("kernel" or the module's name),
// from its offset to _stext (kernel) or to the module's section; see program.h stap_symbol.
u64 stap_symbol_address(struct stap_ctx *c, u32 symbol_index);
// Run-time address of what a program or library has at `address`, in the process that is hit there.
u64 stap_file_address(struct stap_ctx *c, u64 address);

#endif
