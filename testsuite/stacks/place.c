// SPDX-License-Identifier: GPL-2.0-or-later
// Waits for a signal at the end of a chain of calls, so that a debugger can look at the stack: place WAY.
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "place.h"

static volatile int done;  // nothing is a tail call

#define CALL __attribute__((noinline)) static

CALL void here(void) {
  pause();
  done++;
}

CALL void use(volatile char *room) {
  room[0] = 1;
  here();
  done++;
}

// The frame's size is known when it runs only: it is found by a register that keeps where it begins.
CALL void variable(size_t size) {
  use(alloca(size + (size_t)done));
  done++;
}

// The compiler aligns the stack itself, and finds what it was before by an expression.
CALL void aligned(void) {
  volatile char room[256] __attribute__((aligned(128)));

  variable(777);
  use(room);
  done++;
}

CALL void many(long a, long b, long c, long d, long e, long f, long g, long h) {
  volatile long sum = a + b + c + d + e + f + g + h;

  here();
  done += (int)sum;
}

// The call is the function's last instruction, and what it returns to belongs to the next function.
__attribute__((noinline, noreturn)) static void never_returns(void) {
  here();
  exit(0);
}
__attribute__((noinline, noreturn)) static void ends_with_call(void) {
  done++;
  never_returns();
}

static int compare(const void *a, const void *b) {
  here();
  return *(const int *)a - *(const int *)b;
}

CALL void sort(void) {
  int numbers[4] = {4, 2, 3, 1};

  qsort(numbers, 4, sizeof(numbers[0]), compare);
  done += numbers[0];
}

static void on_signal(int number) {
  (void)number;
  here();
  done++;
}

CALL void signal_on_stack(void) {
  static char room[65536];
  stack_t stack;
  struct sigaction action;

  memset(&stack, 0, sizeof(stack));
  stack.ss_sp = room;
  stack.ss_size = sizeof(room);
  sigaltstack(&stack, NULL);
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
  done++;
}

// The signal comes where nothing is called.
CALL void signal_in_fault(void) {
  signal(SIGFPE, on_signal);
  __asm__ volatile("div %0" : : "r"(0l), "a"(1l), "d"(0l));
  done++;
}

static void *thread(void *data) {
  here();
  done++;
  return data;
}

CALL void start_thread(void) {
  pthread_t started;

  pthread_create(&started, NULL, thread, NULL);
  pthread_join(started, NULL);
  done++;
}

static void at_exit(void) {
  here();
  done++;
}

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "plain";

  if (!strcmp(way, "aligned")) aligned();
  else if (!strcmp(way, "arguments")) many(1, 2, 3, 4, 5, 6, 7, 8);
  else if (!strcmp(way, "noreturn")) ends_with_call();
  else if (!strcmp(way, "sort")) sort();
  else if (!strcmp(way, "altstack")) signal_on_stack();
  else if (!strcmp(way, "fault")) signal_in_fault();
  else if (!strcmp(way, "thread")) start_thread();
  else if (!strcmp(way, "exit")) atexit(at_exit);
#ifdef WITH_LIBRARY
  else if (!strcmp(way, "library")) library_calls(here);
  else if (!strcmp(way, "plt")) library_binds();
#endif
  else here();
  return done == 0;
}
