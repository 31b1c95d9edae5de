// SPDX-License-Identifier: GPL-2.0-or-later
// The parent of a vfork(2) is blocked while its child sleeps: vfork-sleep MILLISECONDS. Prints the parent's pid.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count < 2) return 2;
  useconds_t us = (useconds_t)atoi(words[1]) * 1000;
  printf("pid %d\n", getpid());
  fflush(stdout);
  pid_t child = vfork();
  if (child == 0) {
    usleep(us);
    _exit(0);
  }
  return child < 0 || waitpid(child, NULL, 0) != child;
}
