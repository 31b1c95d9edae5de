// SPDX-License-Identifier: GPL-2.0-or-later
// Calls getppid() at the end of a chain of calls that it knows: chain WAY. It prints its process id, then, from the
// innermost frame on, the functions and the addresses that they return to, "NAME ADDRESS" each, then "end". C and C++.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

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

static void on_signal(int number) {
  (void)number;
  FRAME("on_signal");
  leaf();
  done++;
}

__attribute__((noinline)) static void raise_signal(void) {
  FRAME("raise_signal");
  kill(getpid(), SIGUSR1);
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
  signal(SIGUSR1, on_signal);
  if (!strcmp(way, "signal")) raise_signal();
  else if (!strcmp(way, "generated")) generated();
  else if (!strcmp(way, "clock")) read_clock(argc > 2 ? atof(argv[2]) : 1);
  else recurse(2);
  printf("%d\n", getpid());
  for (int i = count - 1; i >= 0; i--) printf("%s %p\n", frames[i].name, frames[i].returns_to);
  printf("end\n");
  return 0;
}
