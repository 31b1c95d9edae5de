// SPDX-License-Identifier: GPL-2.0-or-later
// abi/task.h in a process: the task is the script's own thread, whose process does the work that is traced.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

stap_long stap_task_tgid(struct stap_ctx *c)
{
	(void)c;
	return getpid();
}
stap_long stap_task_pid(struct stap_ctx *c)
{
	(void)c;
	return (stap_long)syscall(SYS_gettid);
}
stap_long stap_task_ppid(struct stap_ctx *c)
{
	(void)c;
	return getppid();
}
stap_long stap_task_pgrp(struct stap_ctx *c)
{
	(void)c;
	return getpgrp();
}
stap_long stap_task_sid(struct stap_ctx *c)
{
	(void)c;
	return getsid(0);
}
stap_long stap_task_uid(struct stap_ctx *c)
{
	(void)c;
	return getuid();
}
stap_long stap_task_euid(struct stap_ctx *c)
{
	(void)c;
	return geteuid();
}
stap_long stap_task_gid(struct stap_ctx *c)
{
	(void)c;
	return getgid();
}
stap_long stap_task_egid(struct stap_ctx *c)
{
	(void)c;
	return getegid();
}
stap_long stap_task_address(struct stap_ctx *c)
{
	(void)c;
	return 0;
}
stap_long stap_target_pid(struct stap_ctx *c)
{
	(void)c;
	return user.target_pid;
}
stap_long stap_task_by_pid(stap_long pid)
{
	(void)pid;
	return 0;
}
stap_long stap_reader_pid(void)
{
	return getppid();
}

// The parent of a process, from /proc/PID/stat: the second word after the name, which may have any character. 0: the
// process is gone.
static int parent_of(int pid)
{
	char path[32], text[512];
	const char *name_end;
	int fd, parent = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	name_end = strrchr(text, ')');
	return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

stap_long stap_target_includes(stap_long pid)
{
	const int max_depth = 1024;

	if (!user.target_pid || pid <= 0 || pid > INT_MAX)
		return 0;
	for (int depth = 0; depth < max_depth && pid > 1; depth++) {
		if (pid == user.target_pid)
			return 1;
		pid = parent_of((int)pid);
	}
	return 0;
}

stap_long stap_load_average(stap_long which)
{
	double averages[3];

	if (which < 0 || which > 2 || getloadavg(averages, 3) != 3)
		return 0;
	return (stap_long)(averages[which] * 2048);
}

stap_long stap_kernel_stack_size(void)
{
	return 0;
}

stap_long stap_cpu(struct stap_ctx *c)
{
	(void)c;
	return sched_getcpu();
}

stap_long stap_per_cpu_pointer(stap_long distance)
{
	(void)distance;
	return 0;
}
stap_long stap_this_cpu_offset(void)
{
	return 0;
}
stap_long stap_cpu_offset(struct stap_ctx *c, stap_long number)
{
	(void)c;
	(void)number;
	return 0;
}

stap_long stap_per_cpu_sum(stap_long pointer)
{
	(void)pointer;
	return 0;
}

static struct stap_str comm_of(struct stap_ctx *c, long pid)
{
	char path[32], text[32];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/comm", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return STAP_STR("");
	n = read(fd, text, sizeof(text));
	close(fd);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	return stap_str_copy(c, (struct stap_str){text, n > 0 ? (u32)n : 0});
}

struct stap_str stap_task_comm(struct stap_ctx *c)
{
	char name[17] = "";

	prctl(PR_GET_NAME, name);
	return stap_str_copy(c, stap_cstr(name));
}

struct stap_str stap_task_parent_comm(struct stap_ctx *c)
{
	return comm_of(c, getppid());
}

stap_long stap_time_mono_ns(struct stap_ctx *c)
{
	(void)c;
	return (stap_long)host_clock_ns();
}

stap_long stap_time_real_ns(struct stap_ctx *c)
{
	struct timespec t;

	(void)c;
	clock_gettime(CLOCK_REALTIME, &t);
	return (stap_long)t.tv_sec * 1000000000ll + t.tv_nsec;
}

stap_long stap_cycles(struct stap_ctx *c)
{
	(void)c;
	return (stap_long)host_cycles();
}

stap_long stap_hz(struct stap_ctx *c)
{
	(void)c;
	return sysconf(_SC_CLK_TCK);
}

stap_long stap_jiffies(struct stap_ctx *c)
{
	return stap_time_mono_ns(c) / (1000000000ll / stap_hz(c));
}

// splitmix64, one state a thread.
struct stap_str stap_probe_point(struct stap_ctx *c)
{
	return stap_cstr(c->probe->point);
}

struct stap_str stap_probe_function(struct stap_ctx *c)
{
	return stap_cstr(c->probe->function ? c->probe->function : "");
}

struct stap_str stap_symbol_name(struct stap_ctx *c, stap_long address)
{
	return stap_address_text(c, address);
}

struct stap_str stap_symbol_data(struct stap_ctx *c, stap_long address)
{
	return stap_address_text(c, address);
}

stap_long stap_user_mode(struct stap_ctx *c)
{
	(void)c;
	return 0; // begin, end and timers interrupt nobody
}

struct stap_str host_user_module(struct stap_ctx *c, u64 address)
{
	(void)c;
	(void)address;
	return STAP_STR("");
}

int host_user_caller(struct stap_ctx *c, struct stap_user_frame *frame, int *is_exact)
{
	(void)c;
	(void)frame;
	(void)is_exact;
	return -1;
}

int host_user_symbol(const struct stap_ctx *c, u64 address, struct host_user_symbol *found)
{
	(void)c;
	(void)address;
	(void)found;
	return 0;
}

u32 host_user_space(void)
{
	return 0; // the reader asks /proc
}

const u64 *host_backtrace(struct stap_ctx *c, u32 max, u32 *count)
{
	(void)c;
	(void)max;
	*count = 0; // a kernel stack: there is none here
	return NULL;
}
