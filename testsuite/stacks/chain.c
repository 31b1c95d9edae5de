// SPDX-License-Identifier: GPL-2.0-or-later
// Calls getppid() at the end of a chain of calls that it knows: chain WAY. It prints its process id, then, from the
// innermost frame on, the functions and the addresses that they return to, "NAME ADDRESS" each, then "end". Behind a
// signal's handler stands "interrupted" and where that was. "chain deleted" has no file any more when it does that. C
// and C++.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef SS_AUTODISARM
#  define SS_AUTODISARM (1u << 31)
#endif

#define FRAME(name) remember(name, __builtin_return_address(0))

static struct {
  const char *name;
  void *returns_to;
} frames[16];
static int count;
static volatile int done;  // nothing is a tail call

static void remember(const char *name, void *returns_to) {
  frames[count].name = name;
  frames[count++].returns_to = returns_to;
}

__attribute__((noinline)) static void leaf(void) {
  FRAME("leaf");
  getppid();
  done++;
}

static inline __attribute__((always_inline)) void inlined(volatile char *room) {
  room[0] = 1;
  leaf();
  done++;
}

__attribute__((noinline)) static void wide(void) {
  volatile char room[3000];  // more than a page of the stack with its neighbours

  FRAME("wide");
  inlined(room);
  done++;
}

__attribute__((noinline)) static void recurse(int depth) {
  FRAME("recurse");
  if (depth) recurse(depth - 1);
  else wide();
  done++;
}

static void *interrupted_at(void *context) { return (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]; }

// The last of the signals that lead to each other.
static void on_signal(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  remember("interrupted", interrupted_at(context));
  FRAME("on_signal");
  leaf();
  done++;
}

static void on_first_signal(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  remember("interrupted", interrupted_at(context));
  FRAME("on_first_signal");
  kill(getpid(), SIGUSR1);
  done++;
}

__attribute__((noinline)) static void raise_signal(int number) {
  FRAME("raise_signal");
  kill(getpid(), number);
  done++;
}

// Nothing has been called where this signal comes: the instruction that fails is anywhere in a function.
static void on_fault(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  remember("interrupted", interrupted_at(context));
  FRAME("on_fault");
  leaf();
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;  // behind ud2
}

__attribute__((noinline)) static void fault(void) {
  FRAME("fault");
  __asm__ volatile("ud2" ::: "memory");
  done++;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags) {
  struct sigaction action;

  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handler;
  action.sa_flags = flags | SA_SIGINFO;
  sigaction(number, &action, NULL);
}

// How handlers get a stack of their own: with a `flag` of the stack, and the signals that use it.
static void set_signal_stack(unsigned flag) {
  static char room[65536];
  stack_t stack;

  memset(&stack, 0, sizeof(stack));
  stack.ss_sp = room;
  stack.ss_size = sizeof(room);
  stack.ss_flags = (int)flag;
  if (sigaltstack(&stack, NULL)) perror("sigaltstack");
}

// SIGUSR2's handler raises SIGUSR1, whose handler calls leaf(), as SIGILL's does.
__attribute__((noinline)) static void signals(const char *way) {
  const int own = !strcmp(way, "altstack") || !strcmp(way, "autodisarm");
  const int both = !strcmp(way, "nested-altstack");
  const int second = !strcmp(way, "altstack-second");

  FRAME("signals");
  if (own || both || second) set_signal_stack(!strcmp(way, "autodisarm") ? SS_AUTODISARM : 0);
  handle(SIGUSR1, on_signal, own || both || second ? SA_ONSTACK : 0);
  handle(SIGUSR2, on_first_signal, both ? SA_ONSTACK : 0);
  handle(SIGILL, on_fault, 0);
  if (!strcmp(way, "fault")) fault();
  else raise_signal(!strcmp(way, "signal") || own ? SIGUSR1 : SIGUSR2);
  done++;
}

// sub $8, %rsp; call *%rdi; add $8, %rsp; ret: code that no file has.
__attribute__((noinline)) static void generated(void) {
  static const unsigned char code[] = {0x48, 0x83, 0xec, 8, 0xff, 0xd7, 0x48, 0x83, 0xc4, 8, 0xc3};
  void (*call)(void (*)(void)) = (void (*)(void (*)(void)))mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  FRAME("generated");
  memcpy((void *)call, code, sizeof(code));
  call(leaf);
  done++;
}

// Until the time is over: most of it is spent in the kernel's own code that is mapped here. The coarse clock is read
// there whatever the machine's clock is; the precise one takes a system call where the processor's own counter is not
// trusted.
__attribute__((noinline)) static void read_clock(double seconds) {
  struct timespec start, now;

  clock_gettime(CLOCK_MONOTONIC_COARSE, &start);
  do {
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  } while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
  done++;
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "plain";

  FRAME("main");
  if (!strcmp(way, "deleted") && unlink(argv[0])) perror(argv[0]);
  if (!strcmp(way, "generated")) generated();
  else if (!strcmp(way, "clock")) read_clock(argc > 2 ? atof(argv[2]) : 1);
  else if (!strcmp(way, "plain") || !strcmp(way, "deleted")) recurse(2);
  else signals(way);
  printf("%d\n", getpid());
  for (int i = count - 1; i >= 0; i--) printf("%s %p\n", frames[i].name, frames[i].returns_to);
  printf("end\n");
  return 0;
}
