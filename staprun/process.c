// SPDX-License-Identifier: GPL-2.0-or-later
// A script that runs in a process of its own: fork, load the shared object, map its rings.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun.h"

// Runs the script in the child process and never returns. The child ignores ^C: staprun gets it too, and then tells the
// script to stop.
static void run_child(const struct options *o, int socket, int shared_fd, int wake_fd)
{
	struct stap_user_start start = {
		.version = STAP_USER_VERSION,
		.socket = socket,
		.shared_fd = shared_fd,
		.wake_fd = wake_fd,
		.ring_size = o->ring_mb << 20,
		.setting_count = o->setting_count,
		.settings = o->settings,
	};
	char path[4096];
	int (*entry)(const struct stap_user_start *);
	void *object;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	// Without a slash in the name, dlopen would search the library path.
	snprintf(path, sizeof(path), "%s%s", strchr(o->file, '/') ? "" : "./", o->file);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object) {
		error("can't load the script: %s", dlerror());
		_exit(1);
	}
	*(void **)&entry = dlsym(object, "stap_user_main");
	if (!entry) {
		error("%s is not a compiled script: it has no stap_user_main", o->file);
		_exit(1);
	}
	exit(entry(&start));
}

static int map_shared(struct script *s, int fd, long long size)
{
	s->shm_size = (unsigned long long)size;
	s->shm = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s->shm != MAP_FAILED)
		return 0;
	s->shm = NULL;
	error("can't map the script's buffers: %s", strerror(errno));
	return -1;
}

// Waits for the child's first message, which says how large the shared memory is, and maps it.
static int wait_until_ready(struct script *s, int shared_fd)
{
	struct stap_user_message m;
	ssize_t n;

	do
		n = recv(s->socket, &m, sizeof(m), 0);
	while (n < 0 && errno == EINTR && interrupts < 2);
	if (n != (ssize_t)sizeof(m) || m.kind != STAP_USER_READY)
		return -1; // the child has printed the reason
	if (m.value > 0)
		return map_shared(s, shared_fd, m.value);
	error("the script can't start: %s", m.text[0] ? m.text : strerror((int)-m.value));
	return -1;
}

static void process_close(struct script *s)
{
	if (s->shm)
		munmap(s->shm, s->shm_size);
	s->shm = NULL;
	if (s->socket >= 0)
		close(s->socket); // the script ends when it reads the end of file
	s->socket = -1;
	if (s->wake_fd >= 0)
		close(s->wake_fd);
	s->wake_fd = -1;
	if (s->pid > 0)
		waitpid(s->pid, NULL, 0);
	s->pid = 0;
}

static int process_open(struct script *s, const struct options *o)
{
	const pid_t parent = getpid();
	int pair[2], shared_fd;

	shared_fd = memfd_create("stap-rings", MFD_CLOEXEC);
	s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (shared_fd < 0 || s->wake_fd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		error("can't make the script's channels: %s", strerror(errno));
		return -1;
	}
	s->socket = pair[0];
	s->pid = fork();
	if (s->pid < 0) {
		error("can't start the script's process: %s", strerror(errno));
		return -1;
	}
	if (!s->pid) {
		close(pair[0]);
		end_with_parent(parent, SIGKILL); // without staprun nobody would read its rings
		run_child(o, pair[1], shared_fd, s->wake_fd);
	}
	close(pair[1]);
	if (wait_until_ready(s, shared_fd)) {
		close(shared_fd);
		process_close(s);
		return -1;
	}
	close(shared_fd);
	snprintf(s->name, sizeof(s->name), "%.*s", (int)sizeof(s->shm->name) - 1, s->shm->name);
	return 0;
}

// Resets the eventfd, which would otherwise stay readable and wake staprun again at once.
static void process_take_wake(struct script *s)
{
	u64 wakes;

	while (read(s->wake_fd, &wakes, sizeof(wakes)) == (ssize_t)sizeof(wakes))
		;
}

static void process_abandon(const struct script *s)
{
	if (s->pid > 0)
		kill(s->pid, SIGKILL);
}

const struct script_operations process_script = {
	.open = process_open,
	.take_wake = process_take_wake,
	.close = process_close,
	.abandon = process_abandon,
};
