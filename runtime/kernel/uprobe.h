// SPDX-License-Identifier: GPL-2.0-or-later
// Where in a file the kernel puts a breakpoint for each process that maps it: what both mechanisms of uprobes share.
#ifndef STAP_KERNEL_UPROBE_H
#define STAP_KERNEL_UPROBE_H

#include <linux/fs.h>
#include <linux/uprobes.h>
#include "kernel.h"

struct uprobe_at {
	struct uprobe_consumer consumer;
	const struct stap_probe *probe;
	const struct stap_file_place *place;
	struct file *file, *executable; // open as long as the probe is attached: the inodes stay
	struct uprobe *handle;
};

// Opens the file, compares what is at the place with what the script was compiled for, and registers the consumer,
// whose handlers are set. 0; -ENOENT: there is no such file; -ESTALE: it is another one than it was; -EOPNOTSUPP: a
// probe would do harm there; -ENOSYS: the kernel has no uprobes; or what the kernel says of the instruction.
int uprobe_at_register(struct uprobe_at *at, const struct stap_probe *p, const struct stap_file_place *place);
// Of all before the first goes: uprobe_at_wait() waits for handlers that run, and uprobe_at_close() gives the file
// back.
void uprobe_at_unregister(struct uprobe_at *at);
void uprobe_at_wait(void);
void uprobe_at_close(struct uprobe_at *at);
// Sees to it that the unwinder that begins there gets past followed calls (unwinder.c); nothing when the place has no
// path. Any number of times for a place. 0 or as above, or -ENOSPC. Process context, before any call is followed.
int unwinder_guard(const struct stap_probe *p, const struct stap_file_place *place);
// Is the hit's process one that the script asked for? At a hit.
bool uprobe_at_wanted(const struct uprobe_at *at);
// What a consumer's handler returns when it is not: the process loses the breakpoint, unless it shares its memory.
int uprobe_at_unwanted(const struct uprobe_at *at);

#endif
