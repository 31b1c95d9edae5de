// SPDX-License-Identifier: GPL-2.0-or-later
// How staprun talks to a script that runs in a process of its own: the entry point and the messages.
//
// staprun forks a child that loads the script's shared object and calls
// stap_user_main, which answers requests on a SOCK_SEQPACKET socket until told to
// stop or until the other end is gone. The requests are those a kernel script gets
// by ioctl: start, stop. The rings are in a memfd that both map.
#ifndef STAP_USER_H
#define STAP_USER_H

#include "../abi/types.h"

#define STAP_USER_VERSION 2

struct stap_user_start {
	u32 version;   // STAP_USER_VERSION
	int socket;    // requests and answers
	int shared_fd; // memfd, empty: the script sets its size
	int wake_fd;   // eventfd: written to wake the reader
	u32 ring_size; // bytes of a ring; 0: the default
	u32 setting_count;
	const char *const *settings; // NAME=VALUE, for global variables
};

enum stap_user_message_kind {
	STAP_USER_READY = 1, // script: initialised; value: bytes of shared memory, or -errno; text says more
	STAP_USER_START,     // staprun: value: target pid
	STAP_USER_STARTED,   // script: value: 0 or -errno; text says more
	STAP_USER_STOP,      // staprun
	STAP_USER_STOPPED,   // script: end probes have run; it exits
	STAP_USER_INPUT,     // staprun: text of its standard input, while the script runs; none: that has ended
	STAP_USER_TAKEN,     // script: the handlers for that have run
};

struct stap_user_message {
	u32 kind;
	u32 text_len;
	s64 value;
	char text[240];
};

// Exported by every script's shared object. Returns the process's exit status.
int stap_user_main(const struct stap_user_start *start);

#endif
