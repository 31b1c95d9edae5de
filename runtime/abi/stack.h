// SPDX-License-Identifier: GPL-2.0-or-later
// How much stack a script may use: bounds that the translator checks when a script is compiled, and that the runtime
// counts on.
#ifndef STAP_ABI_STACK_H
#define STAP_ABI_STACK_H

// No function of a script has a frame of more bytes (translator/build/stack_usage).
#define STAP_FRAME_MAX 4096
// What the runtime's functions and the kernel's below them need at most, and a fault's frames in a read that fails
// (testsuite/safety/stack-depth adds up the runtime's).
#define STAP_RUNTIME_STACK 4096
// A call of a script function goes ahead when the stack has room for a frame and for the runtime.
#define STAP_STACK_RESERVE (STAP_FRAME_MAX + STAP_RUNTIME_STACK)
// More than the frame of a small function that calls itself: what MAXNESTING adds to a stack for each call.
#define STAP_FRAME_TYPICAL 256
// A printf's arguments beyond this number are put into the context's arena instead of the stack.
#define STAP_STACK_ARGS 8

#endif
