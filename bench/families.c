// SPDX-License-Identifier: GPL-2.0-or-later
// Does one thing many times and prints how many nanoseconds it took once: the loads that bench/families probes.
//
//   families LOAD CALLS FILE [PATH]    the figure goes to FILE, so that a script's output can't get between
//
// LOAD: getppid, rename (of this task), fault (one page), function, mark, plt, or read (of PATH, opened each time).
// On a guest whose clock counts instructions (stap-vm --icount) a nanosecond is an instruction.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *path_to_read;
static char *page;
static volatile long sink;

static void getppid_once(void)
{
	syscall(SYS_getppid);
}

static void rename_once(void)
{
	prctl(PR_SET_NAME, "families");
}

static void fault_once(void)
{
	madvise(page, 4096, MADV_DONTNEED);
	*(volatile char *)page = 1;
}

__attribute__((noipa)) long probed_function(long value)
{
	__asm__ volatile("" : "+r"(value));
	return value + 1; // the statement that bench/families probes
}

static void function_once(void)
{
	sink = probed_function(sink);
}

static void mark_once(void)
{
	STAP_PROBE1(families, probed_mark, 1);
}

static void plt_once(void)
{
	sink = labs(sink);
}

static void read_once(void)
{
	char text[64];
	int fd = open(path_to_read, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0) {
		perror(path_to_read);
		exit(1);
	}
	close(fd);
}

static const struct {
	const char *name;
	void (*once)(void);
} loads[] = {
	{"getppid", getppid_once}, {"rename", rename_once}, {"fault", fault_once}, {"function", function_once},
	{"mark", mark_once},       {"plt", plt_once},       {"read", read_once},
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	const long calls = argc >= 4 ? atol(argv[2]) : 0;
	void (*once)(void) = NULL;
	double start, end;
	FILE *out;

	for (size_t i = 0; calls > 0 && i < sizeof(loads) / sizeof(loads[0]); i++)
		if (!strcmp(argv[1], loads[i].name))
			once = loads[i].once;
	path_to_read = argc == 5 ? argv[4] : "";
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!once || page == MAP_FAILED) {
		fprintf(stderr, "usage: families LOAD CALLS FILE [PATH]\n");
		return 2;
	}
	start = now_ns();
	for (long i = 0; i < calls; i++)
		once();
	end = now_ns();
	out = fopen(argv[3], "w");
	if (!out || fprintf(out, "%.1f\n", (end - start) / (double)calls) < 0 || fclose(out)) {
		perror(argv[3]);
		return 1;
	}
	return 0;
}
