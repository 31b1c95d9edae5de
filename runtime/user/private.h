// SPDX-License-Identifier: GPL-2.0-or-later
// What the files of the process host share.
#ifndef STAP_USER_PRIVATE_H
#define STAP_USER_PRIVATE_H

#include "../host.h"
#include "user.h"

struct stap_user {
	int shared_fd;
	int wake_fd;
	u32 target_pid;
	char problem[240]; // why the last request failed
};
extern struct stap_user user;

// The session's context, while the script is running: of reports and input, one at a time.
void session_context_take(void);
void session_context_give(void);

#endif
