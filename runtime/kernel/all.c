// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel host in one translation unit: nearly all the time of compiling a file of it goes into the kernel's
 * headers, and preparing a kernel takes half as long when they are read once. A file that must stand alone goes into
 * Kbuild's list.
 */
#include "main.c"
#include "control.c"
#include "addresses.c"
#include "buildid.c"
#include "memory.c"
#include "cpu.c"
#include "read.c"
#include "task.c"
#include "symbols.c"
#include "wake.c"
#include "attach/attach.c"
#include "attach/timer.c"
#include "attach/kprobe.c"
#include "attach/kretprobe.c"
#include "attach/tracepoint.c"
