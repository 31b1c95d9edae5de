// SPDX-License-Identifier: GPL-2.0-or-later
// counter N: writes N times to one variable and accesses another 2 N times, and so does its child; each says so, with
// its PID.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

volatile long counted = 5;
static volatile int empty;

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1;
  const pid_t child = fork();
  int i, sum = 0;

  for (i = 0; i < n; i++) {
    counted = i;
    empty = i;
    sum += empty;
  }
  if (child) wait(NULL);
  printf("%d %d %d\n", getpid(), n, 2 * n);
  fflush(stdout);
  _exit(sum != n * (n - 1) / 2);
}
