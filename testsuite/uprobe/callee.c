// SPDX-License-Identifier: GPL-2.0-or-later
// Who calls whom is known: left() calls shared() 2 times, right() 3 times, and shared() calls deep() each time; left()
// calls deep() itself once, at the end of a longer frame.
#include <stdio.h>
#include <string.h>

static volatile long sum;

__attribute__((noinline, noclone)) long deep(long n) {
  sum += n;
  return sum;
}

__attribute__((noinline, noclone)) long shared(long n) {
  long before = deep(n);
  sum -= n;
  return before + 1;
}

__attribute__((noinline, noclone)) long left(long n) {
  char room[300];
  long first, second;

  memset(room, (int)n, sizeof(room));
  first = shared(n), second = shared(n + 1);
  sum += room[first & 255] + deep(7);
  return first + second;
}

__attribute__((noinline, noclone)) long right(long n) {
  long total = 0;

  for (int i = 0; i < 3; i++) total += shared(n);
  return total + 1;
}

int main(void) { return !(left(1) + right(2) + left(3)); }
