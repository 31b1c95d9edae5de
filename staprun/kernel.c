// SPDX-License-Identifier: GPL-2.0-or-later
// A script that runs in the kernel: load the module, map its rings from /proc/stap_NAME, start, stop, unload.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "staprun.h"

#define CLOCK_QUESTIONS 8

// START and STOP run begin and end probes; a thread makes these calls, so that their output
// is read meanwhile. It answers as a script's process does.
struct worker {
	int socket;
	int proc_fd;
};

static void answer(int socket, unsigned kind, int problem, const char *text)
{
	struct stap_user_message m = {.kind = kind, .value = -problem};

	if (text)
		m.text_len = (u32)snprintf(m.text, sizeof(m.text), "%s", text);
	if (send(socket, &m, sizeof(m), MSG_NOSIGNAL) < 0)
		return; // staprun's main thread is gone
}

static const char rights[] = "it takes CAP_PERFMON or CAP_SYS_ADMIN of the initial user namespace, "
			     "which containers usually lack, and the user who loaded the module";

static void start(const struct worker *w, u32 target_pid)
{
	struct stap_ioc_start request = {.kernel_text = kernel_text_address(), .target_pid = target_pid};
	struct stap_ioc_module *sections;
	const char *hint = NULL;
	int problem;

	if (!request.kernel_text) {
		answer(w->socket, STAP_USER_STARTED, EPERM,
		       "/proc/kallsyms does not show addresses; set kernel.kptr_restrict to 1 or 0 (sysctl)");
		return;
	}
	sections = needed_sections(w->proc_fd, &request.module_count);
	request.modules = (u64)(uintptr_t)sections;
	problem = ioctl(w->proc_fd, STAP_IOC_START, &request) ? errno : 0;
	free(sections);
	if (problem == ESTALE) // the module has said which build-ids differ
		hint = "it was compiled for another kernel, or another module; compile it again for the running one";
	else if (problem == EPERM)
		hint = rights;
	answer(w->socket, STAP_USER_STARTED, problem, hint);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct stap_user_message m;

	while (recv(w->socket, &m, sizeof(m), 0) == (ssize_t)sizeof(m)) {
		if (m.kind == STAP_USER_START) {
			start(w, (u32)m.value);
		} else if (m.kind == STAP_USER_INPUT) {
			struct stap_ioc_input input = {.text = (u64)(uintptr_t)m.text, .len = m.text_len};

			answer(w->socket, STAP_USER_TAKEN, ioctl(w->proc_fd, STAP_IOC_INPUT, &input) ? errno : 0, NULL);
		} else if (m.kind == STAP_USER_STOP) {
			int problem = ioctl(w->proc_fd, STAP_IOC_STOP) ? errno : 0;

			answer(w->socket, STAP_USER_STOPPED, problem, NULL);
		}
	}
	close(w->socket);
	free(w);
	return NULL;
}

static int start_worker(struct script *s)
{
	struct worker *w = malloc(sizeof(*w));
	sigset_t all, old;
	pthread_t thread;
	int pair[2], rc;

	if (!w || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		free(w);
		return -1;
	}
	s->socket = pair[0];
	w->socket = pair[1];
	w->proc_fd = s->proc_fd;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc) {
		close(pair[1]);
		free(w);
		return -1;
	}
	s->worker = thread;
	s->worker_running = 1;
	return 0;
}

// --- one staprun at a time for each name ----------------------------------------------

// A module is loaded, opened and unloaded by its name. In between another staprun could unload the one that was just
// loaded, or open it in the belief that it is its own. So who does such steps holds a lock: a byte of this file, which
// the name chooses, for itself alone; it is gone with its owner. Returns a descriptor to close(), or -1: another one
// has it and `wait` is 0, or there is no lock to be had here, and the steps are done without.
#define LOCK_FILE "/run/stap.lock"

static int lock_name(const char *name, int wait)
{
	struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	int fd = open(LOCK_FILE, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

	for (; *name; name++)
		byte.l_start = (byte.l_start * 31 + *name) & 0xfffffff;
	while (fd >= 0 && fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &byte)) {
		if (errno == EINTR)
			continue;
		close(fd);
		return -1;
	}
	return fd;
}

static void unlock_name(int lock)
{
	if (lock >= 0)
		close(lock);
}

// --- loading -------------------------------------------------------------------

static int unload(const char *name)
{
	return (int)syscall(SYS_delete_module, name, O_NONBLOCK);
}

// A handler may still be on its way out, or somebody look at the control file: the module is busy for a moment.
static void unload_idle(const char *name)
{
	struct timespec pause = {0, 10000000};
	int tries = 0;

	while (unload(name) && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EBUSY) && tries++ < 500)
		nanosleep(&pause, NULL);
	if (tries > 500)
		warning("module %s is still in use; unload it later with staprun -d %s", name, name);
}

// By the file where possible: the kernel can then check its signature, and who may load from where.
static int insert(struct script *s, const struct options *o)
{
	size_t size = 0;
	char *image;
	int fd, problem;

	if (!o->unique_name) {
		fd = open(o->file, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return errno;
		problem = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
		close(fd);
		return problem;
	}
	image = module_image_read(o->file, &size);
	if (!image)
		return errno;
	problem = module_image_rename(image, size, s->name, sizeof(s->name)) ? ENOEXEC : 0;
	if (!problem && syscall(SYS_init_module, image, size, ""))
		problem = errno;
	free(image);
	return problem;
}

static void control_path(const char *name, char *path, size_t size)
{
	snprintf(path, size, "/proc/" STAP_CONTROL_PREFIX "%s", name);
}

static int open_control(const char *name)
{
	char path[96];

	control_path(name, path, sizeof(path));
	return open(path, O_RDWR | O_CLOEXEC);
}

// Why the module of this name that is loaded already must stay; NULL when it is what a killed staprun left: the file of
// a script can be opened only by who loaded it, and while nobody else has it open.
static const char *must_stay(const char *name)
{
	int fd = open_control(name);

	if (fd >= 0) {
		close(fd);
		return NULL;
	}
	switch (errno) {
	case ENOENT:
		return "the module of this name that is loaded is no script; use -R, or compile with another -m NAME";
	case EBUSY: return "the script is running already; use -R to run it once more";
	case EPERM:
	case EACCES: return "another user has loaded a script of this name; use -R, or compile with another -m NAME";
	}
	return strerror(errno);
}

static int load(struct script *s, const struct options *o)
{
	const char *hint = NULL;
	int problem;

	problem = insert(s, o);
	if (problem == EEXIST) {
		hint = must_stay(s->name);
		if (!hint && !unload(s->name))
			problem = insert(s, o);
	}
	if (problem)
		explain_load_failure(problem, o->file, s->name, hint);
	return problem ? -1 : 0;
}

static int map_rings(struct script *s)
{
	long page = sysconf(_SC_PAGESIZE);
	struct stap_shm *head = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE, MAP_SHARED, s->proc_fd, 0);

	if (head == MAP_FAILED)
		return -1;
	s->shm_size = head->total_size;
	munmap(head, (size_t)page);
	s->shm = mmap(NULL, s->shm_size, PROT_READ | PROT_WRITE, MAP_SHARED, s->proc_fd, 0);
	if (s->shm == MAP_FAILED)
		s->shm = NULL;
	return s->shm ? 0 : -1;
}

// In a time namespace now_ns() runs at a fixed distance from the kernel's own clock. What is found is exactly 0 outside
// of one; else too little by the time that the shortest question took, at most, so that records seem ripe late, not
// early.
static int ask_clock(struct script *s)
{
	unsigned long long before, after, shortest = ~0ull;
	u64 kernel;

	for (int i = 0; i < CLOCK_QUESTIONS; i++) {
		before = now_ns();
		if (ioctl(s->proc_fd, STAP_IOC_CLOCK, &kernel)) {
			error("can't ask for the script's clock: %s", strerror(errno));
			return -1;
		}
		after = now_ns();
		if (kernel >= before && kernel <= after) {
			s->clock_ahead_ns = 0;
			return 0;
		}
		if (after - before < shortest) {
			shortest = after - before;
			s->clock_ahead_ns = (long long)(kernel - after);
		}
	}
	return 0;
}

// A global variable of the script: 0, ENOENT when there is none of the name, or another errno.
static int set_global(const struct script *s, const char *name, size_t name_length, const char *value)
{
	struct stap_ioc_global g = {.value = (u64)(uintptr_t)value, .value_len = (u32)strlen(value)};

	if (name_length >= sizeof(g.name))
		return ENOENT;
	memcpy(g.name, name, name_length);
	return ioctl(s->proc_fd, STAP_IOC_GLOBAL, &g) ? errno : 0;
}

// Most scripts don't ask for it, and have no such variables.
static void set_time_zone(const struct script *s)
{
	time_t now = time(NULL);
	char seconds_west[32];
	struct tm local;

	if (!localtime_r(&now, &local))
		return;
	snprintf(seconds_west, sizeof(seconds_west), "%ld", -local.tm_gmtoff);
	set_global(s, STAP_TIME_ZONE_OFFSET, strlen(STAP_TIME_ZONE_OFFSET), seconds_west);
	set_global(s, STAP_TIME_ZONE_NAME, strlen(STAP_TIME_ZONE_NAME), local.tm_zone);
}

// The time zone, and NAME=VALUE of the command line.
static int set_globals(const struct script *s, const struct options *o)
{
	set_time_zone(s);
	for (unsigned i = 0; i < o->setting_count; i++) {
		const char *text = o->settings[i], *equals = strchr(text, '=');
		int problem = set_global(s, text, (size_t)(equals - text), equals + 1);

		if (!problem)
			continue;
		if (problem == ENOENT)
			error("no global variable is named as in '%s'", text);
		else
			error("'%s' can't be set: %s", text,
			      problem == EINVAL ? "it does not fit the variable's type" : strerror(problem));
		return -1;
	}
	return 0;
}

static int open_loaded(struct script *s, const struct options *o)
{
	char path[96];

	s->proc_fd = s->wake_fd = open_control(s->name);
	if (s->proc_fd < 0) {
		control_path(s->name, path, sizeof(path));
		if (errno == ENOENT)
			error("%s is loaded but there is no %s: it is no compiled script", o->file, path);
		else
			error("can't open %s: %s%s%s", path, strerror(errno), errno == EPERM ? "; " : "",
			      errno == EPERM ? rights : "");
		return -1;
	}
	return 0;
}

static int open_rings(struct script *s, const struct options *o)
{
	u32 ring_size = o->ring_mb << 20; // 0: the default; memory is taken right here

	if (ioctl(s->proc_fd, STAP_IOC_RING_SIZE, &ring_size)) {
		if (errno == ENOMEM)
			error("there is not enough free memory for the script; smaller buffers (-s) or arrays "
			      "(-DMAXMAPENTRIES, name[size]) take less");
		else
			error("can't get buffers for the script: %s", strerror(errno));
		return -1;
	}
	if (map_rings(s)) {
		error("can't map the script's buffers: %s", strerror(errno));
		return -1;
	}
	return 0;
}

// --- unloading -------------------------------------------------------------------

static void kernel_close(struct script *s)
{
	int lock;

	if (s->socket >= 0)
		shutdown(s->socket, SHUT_RDWR);
	if (s->worker_running)
		pthread_join(s->worker, NULL);
	if (s->socket >= 0)
		close(s->socket);
	s->socket = -1;
	if (s->shm)
		munmap(s->shm, s->shm_size);
	s->shm = NULL;
	lock = lock_name(s->name, 1);
	if (s->proc_fd >= 0)
		close(s->proc_fd);
	s->proc_fd = s->wake_fd = -1;
	unload_idle(s->name);
	unlock_name(lock);
}

// In a signal handler. Whoever has the lock finds the module idle and takes its place.
static void kernel_abandon(const struct script *s)
{
	int lock = lock_name(s->name, 0);

	munmap(s->shm, s->shm_size);
	close(s->proc_fd);
	if (lock >= 0)
		unload(s->name);
}

int kernel_delete(const char *name)
{
	char clean[64], path[96];
	int lock, problem;

	module_name(name, clean, sizeof(clean));
	control_path(clean, path, sizeof(path));
	if (access(path, F_OK)) {
		error("no script is loaded as %s: there is no %s", clean, path);
		return 1;
	}
	lock = lock_name(clean, 1);
	problem = unload(clean) ? errno : 0;
	unlock_name(lock);
	if (!problem)
		return 0;
	error("can't unload module %s: %s%s", clean, strerror(problem),
	      problem == EWOULDBLOCK ? " (a staprun uses it)"
	      : problem == EPERM     ? "; it needs root"
				     : "");
	return 1;
}

// --- the operations --------------------------------------------------------------

static int kernel_open(struct script *s, const struct options *o)
{
	int lock, rc;

	if (geteuid() != 0) {
		error("loading a script into the kernel needs root; run it with sudo, or compile it with --runtime=user");
		return -1;
	}
	module_name(o->file, s->name, sizeof(s->name));
	lock = lock_name(s->name, 1);
	rc = load(s, o);
	if (!rc && open_loaded(s, o)) {
		unload_idle(s->name);
		rc = -1;
	}
	unlock_name(lock);
	if (rc)
		return -1;
	if (!open_rings(s, o) && !ask_clock(s) && !set_globals(s, o) && !start_worker(s)) {
		if (o->verbose)
			fprintf(stderr, "staprun: module %s is loaded\n", s->name);
		return 0;
	}
	kernel_close(s);
	return -1;
}

static void kernel_cancel_start(struct script *s)
{
	if (ioctl(s->proc_fd, STAP_IOC_CANCEL))
		error("can't cancel the start: %s", strerror(errno));
}

// The file in /proc is readable as long as the rings have something; there is nothing to be taken.
static void kernel_take_wake(struct script *s)
{
	(void)s;
}

static void kernel_count_missed(const struct script *s)
{
	ioctl(s->proc_fd, STAP_IOC_COUNT);
}

const struct script_operations kernel_script = {
	.open = kernel_open,
	.cancel_start = kernel_cancel_start,
	.take_wake = kernel_take_wake,
	.close = kernel_close,
	.count_missed = kernel_count_missed,
	.abandon = kernel_abandon,
};
