// SPDX-License-Identifier: GPL-2.0-or-later
// A program that calls functions of the C library a known number of times.
#include <stdlib.h>
#include <unistd.h>

pid_t (*volatile by_pointer)(void) = getppid;

int main(void) {
  int sum = 0;

  for (int i = 0; i < 7; i++) sum += getppid() == by_pointer();
  for (int i = 0; i < 5; i++) sum += abs(-i - 1);
  return sum != 22;
}
