// SPDX-License-Identifier: GPL-2.0-or-later
// Variables that can't be read everywhere, or not as numbers.
#include <stdlib.h>

struct pair {
  double ratio;
  int count;
};

__attribute__((noinline)) void use(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }

__attribute__((noinline)) int work(int n, struct pair *p) {
  use(n + 1);
  use(2);
  use(3);
  return 0;
}

int main(int argc, char **argv) {
  struct pair p = {1.5, argc};
  return work(argc, &p);
}
