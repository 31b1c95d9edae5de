// SPDX-License-Identifier: GPL-2.0-or-later
// Sleeps 30 times in each of two functions.
#include <time.h>

__attribute__((noinline, noclone)) static int nap(long ms) {
  struct timespec t = {0, ms * 1000000};
  return nanosleep(&t, 0) + 1;  // and so does not jump there
}
__attribute__((noinline, noclone)) static int one(void) { return nap(3) + 1; }
__attribute__((noinline, noclone)) static int other(void) { return nap(5) + 1; }

int main(void) {
  int sum = 0;

  for (int i = 0; i < 30; i++) sum += one() + other();
  return sum == 0;
}
