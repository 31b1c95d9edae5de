// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a command and prints what it took: measure FILE COMMAND [ARG]... appends "WALL CPU PEAK FIRST STATUS" to FILE.
//
// WALL: from start to end; CPU: user and system time of it and all its descendants; FIRST: until the first byte of its
// standard output, WALL when there was none; all in ms. PEAK: of the largest process of them, in kB (getrusage(2)). Its
// standard output is passed on.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static double ms(struct timeval t)
{
	return t.tv_sec * 1e3 + t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
	int fds[2], status;
	double start, wall, first = -1;
	char buffer[65536];
	struct rusage used;
	ssize_t n;
	pid_t pid;
	FILE *out;

	if (argc < 3 || pipe(fds) || !(out = fopen(argv[1], "a")))
		return 2;
	start = now_ms();
	pid = fork();
	if (pid < 0)
		return 2;
	if (pid == 0) {
		dup2(fds[1], 1);
		close(fds[0]);
		close(fds[1]);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	close(fds[1]);
	while ((n = read(fds[0], buffer, sizeof(buffer))) > 0) {
		if (first < 0)
			first = now_ms() - start;
		fwrite(buffer, 1, n, stdout);
	}
	if (wait4(pid, &status, 0, &used) < 0)
		return 2;
	wall = now_ms() - start;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	fprintf(out, "%.1f %.1f %ld %.1f %d\n", wall, ms(used.ru_utime) + ms(used.ru_stime), used.ru_maxrss,
		first < 0 ? wall : first, status);
	return status;
}
