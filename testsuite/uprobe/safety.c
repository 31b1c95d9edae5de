// SPDX-License-Identifier: GPL-2.0-or-later
// Does what is hard on return probes, and prints a sum that no probe may change: 8 threads that call, recursion deeper
// than the kernel follows, longjmp, a signal handler on a stack of its own, a fork and an exec below followed calls.
//
//   safety ROUNDS       safety end SUM: what the exec becomes, which returns SUM from a followed call
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define LEVELS 300

static __thread jmp_buf back;
static volatile long handled;

__attribute__((noinline, noclone)) long step(long n) {
  __asm__ volatile("" : "+r"(n));
  return n + 1;
}

__attribute__((noinline, noclone)) long recurse(long n) {
  long below = n ? recurse(n - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}

__attribute__((noinline, noclone)) void jump(int n) {
  __asm__ volatile("" : "+r"(n));
  if (n > 0) jump(n - 1);
  longjmp(back, 1);
}

__attribute__((noinline, noclone)) long forks(long n) {
  const pid_t child = fork();
  int status;

  if (!child) return step(n) + 1000;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? step(n) + WEXITSTATUS(status) : -1000000;
}

static void handler(int signal) { handled += step(signal); }

__attribute__((noinline, noclone)) long signals(long n) {
  for (int i = 0; i < n; i++) raise(SIGUSR1);
  return n;
}

static void *work(void *argument) {
  const long rounds = *(long *)argument;
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  volatile long sum = 0;

  sigaltstack(&stack, NULL);
  for (volatile long i = 0; i < rounds; i++) {
    sum += step(i) + recurse(LEVELS / 10);
    if (!setjmp(back)) jump(5);
    sum += step(1);
  }
  return (void *)sum;
}

static long in_threads(long rounds) {
  pthread_t threads[THREADS];
  long sum = 0;
  void *result;

  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, work, &rounds)) exit(1);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  return sum;
}

__attribute__((noinline, noclone)) long becomes(long sum) {
  char text[32];

  snprintf(text, sizeof(text), "%ld", sum);
  execl("/proc/self/exe", "safety", "end", text, NULL);
  return -1;
}

int main(int argc, char **argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 1;
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
  long sum, forked;

  if (argc > 2) {
    printf("%ld\n", atol(argv[2]) + step(0));
    return 0;
  }
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR1, &action, NULL);
  sum = in_threads(rounds) + recurse(LEVELS) + signals(20);
  forked = forks(5);
  if (forked >= 1000) _exit((int)(forked - 1000));  // the child
  return (int)becomes(sum + forked + handled);
}
