// SPDX-License-Identifier: GPL-2.0-or-later
// What tapset functions may ask of where they run: the current task, the clock, the probe point, stacks and symbols.
//
// Tapset functions are thin scripts over these, so that no script needs a kernel
// header. All may be called in any context; none sleeps.
#ifndef STAP_ABI_TASK_H
#define STAP_ABI_TASK_H

#include "context.h"
#include "symbols.h"

stap_long stap_task_tgid(struct stap_ctx *c); // pid()
stap_long stap_task_pid(struct stap_ctx *c);  // tid()
stap_long stap_task_ppid(struct stap_ctx *c);
stap_long stap_task_pgrp(struct stap_ctx *c);
stap_long stap_task_sid(struct stap_ctx *c);
stap_long stap_task_uid(struct stap_ctx *c);
stap_long stap_task_euid(struct stap_ctx *c);
stap_long stap_task_gid(struct stap_ctx *c);
stap_long stap_task_egid(struct stap_ctx *c);
struct stap_str stap_task_comm(struct stap_ctx *c); // execname()
struct stap_str stap_task_parent_comm(struct stap_ctx *c);
stap_long stap_task_address(struct stap_ctx *c); // task_current(): struct task_struct * (0 in a process)
stap_long stap_target_pid(struct stap_ctx *c);   // target(): -x or the -c command
stap_long stap_cpu(struct stap_ctx *c);
// The struct task_struct * of a thread by its id in the initial name space, valid as long as the thread exists; 0 when
// there is none, and in a process.
stap_long stap_task_by_pid(stap_long pid);
stap_long stap_reader_pid(void); // staprun's process id
// 1 when the process is the one of -x or -c or descends from it, else 0.
stap_long stap_target_includes(stap_long pid);

// The load average of 1, 5 or 15 minutes (0, 1, 2), in units of 1/2048; 0 for any other number.
stap_long stap_load_average(stap_long which);
// Bytes of a kernel stack of a task; 0 in a process.
stap_long stap_kernel_stack_size(void);

// Per-CPU variables of the kernel. Their pointer, which is what & of them is in C, plus a CPU's offset is the address
// of that CPU's copy. In a process all is 0.
stap_long stap_per_cpu_pointer(stap_long distance);              // of the variable that far behind this_cpu_off
stap_long stap_this_cpu_offset(void);                            // of the CPU the handler runs on
stap_long stap_cpu_offset(struct stap_ctx *c, stap_long number); // an error when there can be no such CPU
stap_long stap_per_cpu_sum(stap_long pointer); // of a signed number of 32 bits, over all CPUs there may be

stap_long stap_time_mono_ns(struct stap_ctx *c); // CLOCK_MONOTONIC
stap_long stap_time_real_ns(struct stap_ctx *c); // CLOCK_REALTIME, since the epoch
stap_long stap_cycles(struct stap_ctx *c);       // the cycle counter, get_cycles()
stap_long stap_jiffies(struct stap_ctx *c);
stap_long stap_hz(struct stap_ctx *c);
stap_long stap_random(struct stap_ctx *c, stap_long below); // uniform in [0, below)

struct stap_str stap_probe_point(struct stap_ctx *c);                     // pp()
struct stap_str stap_probe_function(struct stap_ctx *c);                  // probefunc()
struct stap_str stap_symbol_name(struct stap_ctx *c, stap_long address);  // symname(): "vfs_read" or "0x..."
struct stap_str stap_symbol_data(struct stap_ctx *c, stap_long address);  // symdata(): "vfs_read+0x0/0x1b0"
struct stap_str stap_address_text(struct stap_ctx *c, stap_long address); // "0x..."
stap_long stap_user_mode(struct stap_ctx *c);                             // the hit interrupted user code
// An address of the current process, so that the reader can find it there.
struct stap_user_place stap_user_place(struct stap_ctx *c, stap_long address);
struct stap_str stap_user_module(struct stap_ctx *c, stap_long address); // umodname(); "" when there is none
// Kernel stack of the hit, hexadecimal addresses with spaces; at most `max` frames (0: MAXBACKTRACE).
struct stap_str stap_backtrace(struct stap_ctx *c, u32 max);
// Its address number `level`, 0 being the hit itself; 0 when the stack is not that deep.
stap_long stap_stack_address(struct stap_ctx *c, stap_long level);
// Prints the kernel stack of the hit, at most MAXBACKTRACE frames, and addresses as stap_backtrace() writes them. The
// reader finds the names. `form`: enum stap_stack_form.
void stap_print_backtrace(struct stap_ctx *c, u32 form);
void stap_print_addresses(struct stap_ctx *c, struct stap_str addresses, u32 form);
// The same of the process that runs. The text has what is found along frame pointers; a stack that is printed is
// unwound by the reader, `from` other places than the registers' unless it is NULL.
struct stap_user_frame {
	stap_long pc, sp, fp;
};
struct stap_str stap_ubacktrace(struct stap_ctx *c, u32 max);
// Where the process was when it entered the kernel, or was hit. An error where there is none.
stap_long stap_user_address(struct stap_ctx *c);
stap_long stap_ustack_address(struct stap_ctx *c, stap_long level);
// The 8 bytes at an address of the process's stack, with a return address as the program has put it there; 0 when they
// can't be read.
stap_long stap_ureturn_address(struct stap_ctx *c, stap_long at);
void stap_print_ubacktrace(struct stap_ctx *c, u32 form, const struct stap_user_frame *from);
struct stap_str stap_user_symbol_name(struct stap_ctx *c, stap_long address); // "main", else "0x..."
struct stap_str stap_user_symbol_data(struct stap_ctx *c,
				      stap_long address); // "main+0x4/0x20 [/bin/true]", else "0x..."
struct stap_str stap_address_lines(struct stap_ctx *c,
				   struct stap_str addresses); // stap_user_symbol_data(), a line each
void stap_print_uaddresses(struct stap_ctx *c, struct stap_str addresses, u32 form);

#endif
