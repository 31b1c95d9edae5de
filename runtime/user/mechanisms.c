// SPDX-License-Identifier: GPL-2.0-or-later
// What a process can attach: the table of mechanisms (attach/), and what it means when one fails.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "private.h"

extern const struct stap_mechanism input_mechanism, timer_mechanism, profile_mechanism, report_mechanism;

const struct stap_mechanism *const host_mechanisms[] = {&input_mechanism, &profile_mechanism, &report_mechanism,
							&timer_mechanism, NULL};

// A script in a process gets all its probes or does not start.
int host_attach_failed(const struct stap_probe *p, int rc)
{
	if (rc == -ENOSYS)
		snprintf(user.problem, sizeof(user.problem),
			 "probe point %s can't be attached in the user runtime; run the script with --runtime=kernel",
			 p->point);
	else
		snprintf(user.problem, sizeof(user.problem), "probe point %s can't be attached: %s", p->point,
			 strerror(-rc));
	return rc;
}

// Attaching takes no time here, and a kill ends the process.
int host_interrupted(void)
{
	return 0;
}

// Threads are preempted whatever they do.
int host_give_way(void)
{
	return host_interrupted();
}

// The mechanisms have joined their threads.
void host_wait_for_handlers(void)
{
}
