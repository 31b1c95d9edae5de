// SPDX-License-Identifier: GPL-2.0-or-later
// Unit tests of the core: a program to start, a context to call with, checks that say where they failed.
#ifndef UNIT_H
#define UNIT_H

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/core.h"
#include "core/format.h"
#include "user/private.h"

#define CHECK(condition)                                                               \
	do {                                                                           \
		if (!(condition)) {                                                    \
			printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                       \
		}                                                                      \
	} while (0)

#define CHECK_STR(got, want)                                                                                          \
	do {                                                                                                          \
		struct stap_str got_ = (got);                                                                         \
		const char *want_ = (want);                                                                           \
		if (got_.len != strlen(want_) || (got_.len && memcmp(got_.ptr, want_, got_.len))) {                   \
			printf("%s:%d: got \"%.*s\", expected \"%s\"\n", __FILE__, __LINE__, (int)got_.len, got_.ptr, \
			       want_);                                                                                \
			exit(1);                                                                                      \
		}                                                                                                     \
	} while (0)

#define UNIT_MAX_STRING 64
#define UNIT_LIMITS                                                                                       \
	{                                                                                                 \
		.max_string_len = UNIT_MAX_STRING, .max_action = 1000, .max_action_interruptible = 10000, \
		.max_try_lock = 10, .try_lock_delay_us = 1, .max_nesting = 5, .max_skipped = 100,         \
		.min_stack_space = 1024, .arena_size = 4096                                               \
	}

// The program: UNIT_PROGRAM(.probes = probes, .probe_count = 2) and what else the test's has.
#define UNIT_PROGRAM(...)                    \
	struct stap_program stap_program = { \
		.abi_version = STAP_ABI_VERSION, .name = "unit", .limits = UNIT_LIMITS, __VA_ARGS__}

static unsigned long long unit_random_state = 88172645463325252ull;
static inline unsigned long long unit_random(void)
{
	unit_random_state ^= unit_random_state << 13;
	unit_random_state ^= unit_random_state >> 7;
	unit_random_state ^= unit_random_state << 17;
	return unit_random_state;
}

// Allocates everything as a script's process does; the shared memory is a memfd.
static inline void unit_init(u32 ring_size)
{
	user.shared_fd = memfd_create("unit", 0);
	user.wake_fd = eventfd(0, EFD_NONBLOCK);
	CHECK(user.shared_fd >= 0 && user.wake_fd >= 0);
	CHECK(stap_session_init(&stap_program, ring_size) == 0);
}

// Lets ordinary probes run without attaching anything.
static inline void unit_run(void)
{
	stap_core.state = STAP_STATE_RUNNING;
}

#endif
