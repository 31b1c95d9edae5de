// SPDX-License-Identifier: GPL-2.0-or-later
// host.h in a process: memory, contexts, clocks, reads of the own memory that survive bad addresses.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "private.h"

#define MAX_CONTEXTS   64
#define MIN_CONTEXTS   4
#define PIN_ROUNDS     100
#define READER_WAIT_NS 1000000
#define NS_PER_S       1000000000ull

// A context is taken by one thread at a time; threads can be preempted while they hold
// one, so there are more contexts than a machine of one CPU would need.
static struct {
	u32 taken;
} __attribute__((aligned(64))) contexts[MAX_CONTEXTS];

void *host_alloc(u64 size)
{
	return calloc(1, size ? size : 1);
}

void host_free(void *p, u64 size)
{
	(void)size;
	free(p);
}

// The file takes memory where it is written to, so the whole of it is mapped at once.
static char *shared;

int host_shared_reserve(u64 size)
{
	void *p;

	if (ftruncate(user.shared_fd, (off_t)size))
		return -1;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, user.shared_fd, 0);
	if (p == MAP_FAILED)
		return -1;
	shared = p;
	return 0;
}

void *host_shared_alloc(u64 offset, u64 size)
{
	(void)size;
	return shared + offset;
}

void host_shared_free(void *p, u64 size)
{
	(void)p;
	(void)size;
}

void host_shared_release(u64 size)
{
	munmap(shared, size);
}

u32 host_cpu_count(void)
{
	static u32 count;
	long n;

	if (!count) {
		n = sysconf(_SC_NPROCESSORS_CONF);
		count = n < MIN_CONTEXTS ? MIN_CONTEXTS : n > MAX_CONTEXTS ? MAX_CONTEXTS : (u32)n;
	}
	return count;
}

u32 host_online_cpu_count(void)
{
	return host_cpu_count();
}

int host_cpus_watch(void)
{
	int rc = 0;

	for (u32 i = 0; i < host_cpu_count() && !rc; i++)
		rc = stap_session_add_cpu(i);
	return rc;
}

void host_cpus_unwatch(void)
{
}

u64 host_available_memory(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long long kilobytes = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
			break;
	if (f)
		fclose(f);
	return (u64)kilobytes * 1024;
}

u64 host_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * NS_PER_S + (u64)t.tv_nsec;
}

u64 host_cycles(void)
{
#ifdef __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return host_clock_ns();
#endif
}

// --- the processor time of a handler's thread ---
//
// Cycles are cheap to read, but they go on while the thread waits for the processor. The thread's CPU time does not,
// but reading it takes a system call. So it is read only when a handler is entered and the last reading is old, and
// after a run that took long. What the thread has used since the last reading, which was taken shortly before the
// handler was entered, is the most that the handler can have used.

#define SAMPLE_CYCLES (1u << 18) // a reading is old after this: some 100 us

struct sample {
	u64 cycles, clock_ns, cpu_ns;
};
static __thread struct sample last;

static struct sample take_sample(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (struct sample){host_cycles(), host_clock_ns(), (u64)t.tv_sec * NS_PER_S + (u64)t.tv_nsec};
}

u64 host_own_cycles(u64 cycles)
{
	struct sample now = take_sample();
	double cycles_per_ns = (double)(now.cycles - last.cycles) / (double)(now.clock_ns - last.clock_ns + 1);
	u64 own = (u64)((double)(now.cpu_ns - last.cpu_ns) * cycles_per_ns);

	last = now;
	return own < cycles ? own : cycles;
}

u32 host_pin(u64 *pinned)
{
	u32 count = host_cpu_count();
	int cpu = sched_getcpu();
	u32 start = cpu < 0 ? 0 : (u32)cpu;

	*pinned = 0;
	if (host_cycles() - last.cycles > SAMPLE_CYCLES)
		last = take_sample();
	for (u32 i = 0; i < PIN_ROUNDS * count; i++) {
		u32 at = (start + i) % count;

		if (!__atomic_load_n(&contexts[at].taken, __ATOMIC_RELAXED) &&
		    !__atomic_exchange_n(&contexts[at].taken, 1, __ATOMIC_ACQUIRE))
			return at;
		if (at + 1 == count)
			sched_yield();
	}
	return HOST_NO_CPU;
}

void host_unpin(u32 cpu, u64 pinned)
{
	(void)pinned;
	__atomic_store_n(&contexts[cpu].taken, 0, __ATOMIC_RELEASE);
}

// The session's context has a thread at a time, whatever comes between.
void host_interrupts_off(u64 *saved)
{
	*saved = 0;
}

void host_interrupts_restore(u64 saved)
{
	(void)saved;
}

int host_is_atomic(void)
{
	return 0;
}

int host_can_wait(u64 pinned)
{
	(void)pinned;
	return 1;
}

int host_in_nmi(void)
{
	return 0;
}

void host_relax(void)
{
	sched_yield();
}

u32 host_stack_size(void)
{
	return 0;
}

void host_run_handler(struct stap_ctx *c)
{
	stap_run_handler(c);
}

// Looked up once a thread.
char *host_stack_low(void)
{
	static __thread char *lowest;
	pthread_attr_t attr;
	void *base;
	size_t size;

	if (!lowest) {
		if (!pthread_getattr_np(pthread_self(), &attr)) {
			if (!pthread_attr_getstack(&attr, &base, &size))
				lowest = base;
			pthread_attr_destroy(&attr);
		}
	}
	return lowest;
}

// The kernel copies from the own memory and reports a bad address instead of a signal.
static int read_self(void *to, u64 from, u32 size)
{
	struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};

	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size ? 0 : -EFAULT;
}

int host_read_kernel(void *to, u64 from, u32 size)
{
	return read_self(to, from, size);
}

int host_read_user(void *to, u64 from, u32 size)
{
	return read_self(to, from, size);
}

struct stap_str host_why_unreadable(const struct stap_ctx *c, u64 address)
{
	(void)c;
	(void)address;
	return STAP_STR("");
}

u64 host_user_return(struct stap_ctx *c, u64 at, u64 found)
{
	(void)c;
	(void)at;
	return found;
}

void host_put_returns_back(struct stap_ctx *c, char *bytes, u32 size, u64 from)
{
	(void)c;
	(void)bytes;
	(void)size;
	(void)from;
}

u64 host_interrupted_stack(const char *bytes, u32 size, u64 from)
{
	(void)bytes;
	(void)size;
	(void)from;
	return 0;
}

static int write_self(u64 to, u64 value, u32 size)
{
	struct iovec local = {&value, size}, remote = {(void *)(uintptr_t)to, size};

	return process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size ? 0 : -EFAULT;
}

int host_write_kernel(u64 to, u64 value, u32 size)
{
	return write_self(to, value, size);
}

int host_write_user(u64 to, u64 value, u32 size)
{
	return write_self(to, value, size);
}

int host_thread_pointer(u64 *pointer)
{
	*pointer = (u64)(uintptr_t)__builtin_thread_pointer();
	return 0;
}

const struct stap_regs *host_user_regs(const struct stap_regs *regs)
{
	return regs;
}

u32 host_format(char *out, u32 size, const char *format, __builtin_va_list args)
{
	int n = vsnprintf(out, size, format, args);

	return n < 0 ? 0 : (u32)n < size ? (u32)n : size - 1;
}

int host_wait_for_reader(void)
{
	struct timespec moment = {.tv_nsec = READER_WAIT_NS};

	host_wake_reader();
	nanosleep(&moment, NULL);
	return 0;
}

u64 host_random(void)
{
	u64 random = 0;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		random = host_cycles();
	return random;
}

// Waiting calls nothing that is probed.
int host_wait_begin(void)
{
	return 0;
}

void host_wait_end(int token)
{
	(void)token;
}

// No mechanism of a process can be disarmed: handlers test their conditions.
void host_conditions_changed(void)
{
}

void host_wake_reader(void)
{
	u64 one = 1;

	if (write(user.wake_fd, &one, sizeof(one)) < 0)
		return; // the counter is full: the reader has been woken already
}

void host_log(int is_error, const char *text, u32 len)
{
	const char *word = is_error ? "ERROR: " : "WARNING: ";
	struct iovec parts[3] = {{(void *)word, strlen(word)}, {(void *)text, len}, {"\n", 1}};

	if (writev(STDERR_FILENO, parts, 3) < 0)
		return;
}
