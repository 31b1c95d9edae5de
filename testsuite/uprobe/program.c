// SPDX-License-Identifier: GPL-2.0-or-later
// A program whose calls are known: they follow from its arguments.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct point {
  int x, y;
  struct point *next;
};

static int total = 7;
static jmp_buf back;

__attribute__((noinline, noclone)) int add(struct point *p, int times, const char *name) {
  total += times;
  return p->next->y + p->x * times + (int)strlen(name);
}

__attribute__((noinline, noclone)) long depth(long n) {
  long below = n ? depth(n - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  return below + n;
}

__attribute__((noinline, noclone)) long many(int a, int b, int c, int d, int e, int f, long g, short h) {
  __asm__ volatile("");
  return a + b + c + d + e + f + g + h;
}

__attribute__((noinline, noclone)) void leave(int n) {
  __asm__ volatile("");
  longjmp(back, n);
}

static inline __attribute__((always_inline)) int doubled(int n) {
  __asm__ volatile("" : "+r"(n));
  return 2 * n;
}

static int number(int argc, char **argv, int n) { return argc > n ? atoi(argv[n]) : 0; }

// program ADDS DEPTH LEAVES CHILDREN: each child adds as often as the program, after it.
int main(int argc, char **argv) {
  int adds = number(argc, argv, 1), levels = number(argc, argv, 2), leaves = number(argc, argv, 3);
  struct point two = {3, 4, NULL}, one = {1, 2, &two};
  volatile long sum = 0;
  char name[] = "named here";

  for (int i = 0; i < adds; i++) sum += add(&one, i, name);
  sum += depth(levels) + many(1, 2, 3, 4, 5, 6, 7, -8) + doubled(adds);
  for (volatile int i = 0; i < leaves; i++)
    if (!setjmp(back)) leave(i + 1);
  for (int child = 0; child < number(argc, argv, 4); child++) {
    if (fork() == 0) {
      for (int i = 0; i < adds; i++) sum += add(&one, i, name);
      _exit(0);
    }
    wait(NULL);
  }
  return 0;
}
