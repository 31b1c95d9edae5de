// SPDX-License-Identifier: GPL-2.0-or-later
// What the files of the kernel host share among themselves: module state, addresses, attaching.
#ifndef STAP_KERNEL_H
#define STAP_KERNEL_H

#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/ptrace.h>
#include <linux/kprobes.h>
#include <linux/hrtimer.h>
#include "../host.h"

// --- addresses.c: where things are in the running kernel, as the loader says ---

// Takes the loader's table; process context. 0, -EINVAL for a bad one, -EFAULT, -ENOMEM.
int addresses_set(const struct stap_ioc_start *start);
void addresses_free(void);
// The address of `offset` in a section of a module (NULL or "kernel": from _stext); 0: unknown.
u64 addresses_find(const char *module, const char *section, u64 offset);
// Fills in program->symbols. What can't be found keeps address 0: using it is a read fault.
void addresses_resolve_symbols(struct stap_program *p);
// Entry `index` of the list of sections the program needs: 0, or -ENOENT past the end.
int addresses_needed(const struct stap_program *p, u32 index, struct stap_ioc_section *out);
static inline bool addresses_is_kernel(const char *module)
{
	return !module || !strcmp(module, "kernel");
}

// --- buildid.c ---

// Are the kernel and the modules those the program was compiled for? 0 or -ESTALE, with a message to the reader.
int buildid_check_all(struct stap_program *p);

// --- control.c, wake.c ---

int control_init(struct stap_program *p);
void control_exit(struct stap_program *p);
u32 control_target_pid(void);
void wake_init(void);
void wake_exit(void);
struct wait_queue_head *wake_queue(void);

// --- messages to the reader: process context ---
__printf(3, 4) void report(struct stap_program *p, u32 record_kind, const char *format, ...);

// --- attach/ ---

// One probe's hold on the kernel. `probe->state` points here from attaching to detaching.
struct stap_probe_state {
	struct stap_probe *probe;
	u64 address; // of a function probe
	bool attached;
	u64 random;    // state of the timer's random intervals
	u32 deferrals; // of the timer's present tick
	ktime_t due;   // when that tick was due
	union {
		struct kprobe kprobe;
		struct kretprobe kretprobe;
		struct hrtimer timer;
		struct profile_timer *profile; // one per possible CPU
		struct tracepoint *tracepoint;
	};
};

// One way of getting hits. Both run in process context; attach returns 0 or -errno for one probe, detach
// takes all attached ones of the kind at once, because waiting for their handlers is what costs.
struct attach_mechanism {
	u32 kind;
	int (*attach)(struct stap_probe_state *s);
	void (*detach)(struct stap_probe_state **states, u32 count);
};
// Where the probe goes, for registering it: its address, or its name.
void kprobe_set_place(struct stap_probe_state *s, struct kprobe *kp);
extern const struct attach_mechanism timer_mechanism, profile_mechanism, kprobe_mechanism, kretprobe_mechanism,
	tracepoint_mechanism;

// The registers as emitted code sees them are the kernel's own.
static inline const struct stap_regs *as_stap_regs(const struct pt_regs *regs)
{
	BUILD_BUG_ON(sizeof(struct stap_regs) != sizeof(struct pt_regs));
	BUILD_BUG_ON(offsetof(struct stap_regs, ip) != offsetof(struct pt_regs, ip));
	return (const struct stap_regs *)regs;
}

// Hits the kernel could not deliver (a probe within a probe, no free return instance); process context.
void count_missed(u64 hits);

#endif
