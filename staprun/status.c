// SPDX-License-Identifier: GPL-2.0-or-later
// How a running script fares, on demand: SIGUSR1 prints it to standard error, `staprun --status NAME` to its caller.
//
// The latter asks by a socket in the abstract name space, "stap/NAME", where NAME is the module's name or the -m name
// of a process's script; who has that name already leaves the next one NAME_PID. The name proves nothing, so each side
// looks who the other one is: only root and the user who runs the script are answered, and a user believes only
// themselves and root.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "staprun.h"

#define PREFIX     "stap/"
#define PATIENCE_S 10 // for a staprun that does not answer

// --- what is said -----------------------------------------------------------------

static const char *state_text(u32 state)
{
	switch (state) {
	case STAP_STATE_LOADED: return "is loaded";
	case STAP_STATE_STARTING: return "is starting";
	case STAP_STATE_RUNNING: return "is running";
	case STAP_STATE_STOPPING: return "is ending";
	case STAP_STATE_STOPPED: return "has ended";
	}
	return "is in an unknown state";
}

void status_print(FILE *to, const struct status_of *s)
{
	struct stap_shm *shm = s->script->shm;
	const unsigned long long unwritten = output_unwritten(s->out);
	struct reader_totals t = reader_account(s->reader);
	const unsigned long long taken = t.delivered + t.lost;
	char cpus[512];

	reader_lost_per_cpu(s->reader, cpus, sizeof(cpus));
	fprintf(to, "STATUS: %s %s\n", s->script->name, state_text(__atomic_load_n(&shm->state, __ATOMIC_ACQUIRE)));
	fprintf(to, "STATUS: records: %llu produced, %llu delivered, %llu lost%s%s%s, %llu in the buffers\n",
		t.produced, t.delivered - unwritten, t.lost + unwritten, cpus[0] ? " (" : "", cpus, cpus[0] ? ")" : "",
		t.produced > taken ? t.produced - taken : 0);
	report_ways(to, "STATUS", s->script, s->relay, 1);
	report_skipped(to, "STATUS", shm, s->script->shm_size, s->relay, 1);
}

// --- the socket -------------------------------------------------------------------

// The address of a script's name; its length, 0 when the name is too long.
static socklen_t address_of(struct sockaddr_un *a, const char *name)
{
	const size_t prefix = sizeof(PREFIX) - 1, length = prefix + strlen(name);

	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	if (length >= sizeof(a->sun_path))
		return 0;
	memcpy(a->sun_path + 1, PREFIX, prefix);
	memcpy(a->sun_path + 1 + prefix, name, length - prefix);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int bind_name(int fd, const char *name)
{
	struct sockaddr_un a;
	const socklen_t length = address_of(&a, name);

	if (!length) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return bind(fd, (struct sockaddr *)&a, length);
}

int status_listen(const char *name)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), rc;
	char own[96];

	if (fd < 0)
		return -1;
	rc = bind_name(fd, name);
	if (rc && errno == EADDRINUSE) {
		snprintf(own, sizeof(own), "%s_%d", name, (int)getpid());
		rc = bind_name(fd, own);
	}
	if (!rc && !listen(fd, 4))
		return fd;
	close(fd);
	return -1;
}

// The user at the other end; -1 when that can't be told.
static uid_t user_of(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) ? (uid_t)-1 : who.uid;
}

void status_answer(int listener, const struct status_of *s)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	uid_t user = fd >= 0 ? user_of(fd) : (uid_t)-1;
	char *text = NULL;
	size_t size = 0;
	FILE *to = user == 0 || user == geteuid() ? open_memstream(&text, &size) : NULL;

	if (to) {
		status_print(to, s);
		// Without waiting: one who asks and does not read is no reason to stop reading the script's output.
		if (!fclose(to) && send(fd, text, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			errno = 0; // nobody to tell
	}
	free(text);
	if (fd >= 0)
		close(fd);
}

// --- the caller's side --------------------------------------------------------------

// Names of running scripts: "; running: a, b". Nothing when there are none.
static void list_running(char *text, size_t size)
{
	FILE *f = fopen("/proc/net/unix", "re");
	char line[512], *name;
	size_t used = 0;

	text[0] = 0;
	while (f && fgets(line, sizeof(line), f) && used < size) {
		name = strstr(line, " @" PREFIX);
		if (!name)
			continue;
		name += sizeof(" @" PREFIX) - 1;
		name[strcspn(name, "\n")] = 0;
		if (!strstr(text, name)) // what is being answered is listed once more
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "; running: ", name);
	}
	if (f)
		fclose(f);
}

static int copy_answer(int fd)
{
	char text[4096];
	ssize_t n;
	int any = 0;

	while ((n = recv(fd, text, sizeof(text), 0)) > 0) {
		any = 1;
		fwrite(text, 1, (size_t)n, stdout);
	}
	return any && !n && !fflush(stdout) ? 0 : -1;
}

int status_ask(const char *name)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct timeval patience = {.tv_sec = PATIENCE_S};
	char running[1024];
	struct sockaddr_un a;
	const socklen_t length = address_of(&a, name);
	uid_t user;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (!length || connect(fd, (struct sockaddr *)&a, length)) {
		list_running(running, sizeof(running));
		error("no script runs as %s%s", name, running);
		return 1;
	}
	user = user_of(fd);
	if (geteuid() && user && user != geteuid()) {
		error("%s is run by another user", name);
		return 1;
	}
	if (!copy_answer(fd))
		return 0;
	error("the staprun of %s does not answer", name);
	return 1;
}
