// SPDX-License-Identifier: GPL-2.0-or-later
// Calls getppid() in a loop and prints how many nanoseconds one call took: the load that bench/hit probes.
//
//   getppid CALLS FILE    the figure goes to FILE, so that a script's output can't get between
//
// On a guest whose clock counts instructions (stap-vm --icount) a nanosecond is an instruction.
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	long calls = argc == 3 ? atol(argv[1]) : 0;
	double start, end;
	FILE *out;

	if (calls <= 0) {
		fprintf(stderr, "usage: getppid CALLS FILE\n");
		return 2;
	}
	start = now_ns();
	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	end = now_ns();
	out = fopen(argv[2], "w");
	if (!out || fprintf(out, "%.1f\n", (end - start) / (double)calls) < 0 || fclose(out)) {
		perror(argv[2]);
		return 1;
	}
	return 0;
}
