// SPDX-License-Identifier: GPL-2.0-or-later
// A function that gcc splits: its first test, to be inlined into callers, and the rest, which it puts back where the
// function itself is.
#include <stddef.h>

volatile int total;
static int total_of_main;

__attribute__((noinline)) static int work(int n) {
  total += n;
  return total * 3;
}

int checked(int n, int *p) {
  int sum;

  if (!p) return 0;
  sum = work(n);
  for (int i = 0; i < n; i++) sum += work(i) ^ *p;
  total = sum;
  return sum + work(sum);
}

int (*volatile not_inlined)(int n, int *p) = checked;
int *volatile argument;  // the compiler can't tell for which calls there is one

int main(void) {
  int sum = 0;

  for (int i = 0; i < 5; i++) {
    argument = i % 2 ? &total_of_main : NULL;
    sum += checked(i, argument);
  }
  not_inlined(3, NULL);
  not_inlined(3, &total_of_main);
  return sum == 1;
}
