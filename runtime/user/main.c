// SPDX-License-Identifier: GPL-2.0-or-later
// A script's main program in a process: answers staprun's requests until it says stop.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <signal.h>
#include <unistd.h>

#include "private.h"

struct stap_user user = {.shared_fd = -1, .wake_fd = -1};

static int answer(int socket, u32 kind, s64 value)
{
	struct stap_user_message m = {.kind = kind, .value = value};

	m.text_len = (u32)strnlen(user.problem, sizeof(m.text) - 1);
	memcpy(m.text, user.problem, m.text_len);
	return send(socket, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m) ? 0 : -1;
}

// The next request; -1 when staprun is gone.
static int request(int socket, struct stap_user_message *m)
{
	ssize_t n;

	do
		n = recv(socket, m, sizeof(*m), 0);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*m) ? 0 : -1;
}

static int apply_settings(const struct stap_user_start *start)
{
	for (u32 i = 0; i < start->setting_count; i++) {
		const char *text = start->settings[i], *equals = strchr(text, '=');
		struct stap_str name = {text, equals ? (u32)(equals - text) : 0};
		int rc = equals ? stap_session_set_global(name, stap_cstr(equals + 1)) : -EINVAL;

		if (rc) {
			snprintf(user.problem, sizeof(user.problem),
				 rc == -ENOENT ? "no global variable is named as in '%s'"
					       : "'%s' does not fit the global variable's type",
				 text);
			return rc;
		}
	}
	return 0;
}

// Scripts that don't ask for it have no such variables.
static void set_time_zone(void)
{
	time_t now = time(NULL);
	char seconds_west[32];
	struct tm local;

	if (!localtime_r(&now, &local))
		return;
	snprintf(seconds_west, sizeof(seconds_west), "%ld", -local.tm_gmtoff);
	stap_session_set_global(stap_cstr(STAP_TIME_ZONE_OFFSET), stap_cstr(seconds_west));
	stap_session_set_global(stap_cstr(STAP_TIME_ZONE_NAME), stap_cstr(local.tm_zone));
}

static void serve(int socket)
{
	struct stap_user_message m;

	while (!request(socket, &m)) {
		user.problem[0] = 0;
		if (m.kind == STAP_USER_START) {
			user.target_pid = (u32)m.value;
			answer(socket, STAP_USER_STARTED, stap_session_start(&stap_program, (u32)m.value));
		} else if (m.kind == STAP_USER_INPUT) {
			session_context_take();
			stap_session_input(m.text, m.text_len < sizeof(m.text) ? m.text_len : sizeof(m.text));
			session_context_give();
			answer(socket, STAP_USER_TAKEN, 0);
		} else if (m.kind == STAP_USER_STOP) {
			break;
		}
	}
	stap_session_stop(&stap_program);
	answer(socket, STAP_USER_STOPPED, 0);
}

int stap_user_main(const struct stap_user_start *start)
{
	int rc = start->version == STAP_USER_VERSION ? 0 : -EINVAL;
	u64 size = 0;

	user.shared_fd = start->shared_fd;
	user.wake_fd = start->wake_fd;
	prctl(PR_SET_NAME, "stap-script");
	if (!stap_program.name || !*stap_program.name) {
		static char name[32];

		snprintf(name, sizeof(name), "stap_%d", (int)getpid()); // a module has a name always; -m gives one here
		stap_program.name = name;
	}
	if (rc)
		snprintf(user.problem, sizeof(user.problem), "the script was built for another version of staprun");
	else
		rc = stap_session_init(&stap_program, start->ring_size);
	if (!rc) {
		set_time_zone();
		rc = apply_settings(start);
	}
	if (rc) {
		answer(start->socket, STAP_USER_READY, rc);
		return 1;
	}
	stap_session_shm(&size);
	if (!answer(start->socket, STAP_USER_READY, (s64)size))
		serve(start->socket);
	stap_session_free(&stap_program);
	return 0;
}
