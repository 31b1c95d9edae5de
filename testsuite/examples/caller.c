// SPDX-License-Identifier: GPL-2.0-or-later
// A program whose calls are known: keeps and gives back memory, asks for the environment, computes and sleeps.
#include <stdlib.h>
#include <sys/sdt.h>
#include <unistd.h>

static char *kept[100];

// Ten pieces of 1000 bytes that stay.
static __attribute__((noinline)) void keep(void) {
  for (int i = 0; i < 10; i++) kept[i] = malloc(1000);
}

// Twenty pieces of 500 bytes that are given back.
static __attribute__((noinline)) void use(void) {
  for (int i = 0; i < 20; i++) {
    char *piece = malloc(500);
    piece[0] = (char)i;
    free(piece);
  }
}

__attribute__((noinline)) int multiply(int a, int b) {
  usleep(10000);
  STAP_PROBE2(caller, multiplied, a, b);
  return a * b;
}

int main(void) {
  keep();
  use();
  for (int i = 0; i < 4; i++)
    if (getenv("CALLER_NOT_SET")) return 1;
  int sum = 0;
  for (int i = 1; i <= 7; i++) sum += multiply(i, 3);
  usleep(20000);
  STAP_PROBE1(caller, done, sum);
  for (int i = 0; i < 10; i++) free(getenv("CALLER_FREES") ? kept[i] : NULL);
  return sum != 84;
}
