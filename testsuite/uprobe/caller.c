// SPDX-License-Identifier: GPL-2.0-or-later
// A program that calls a function when it is told to, a letter for each call, and says so: call, fork, vfork, exec.
//
//   caller [once]     each letter of the standard input is answered by itself on the standard output, when it is done
//   c: calls called()   f: a child calls it   v: a child by vfork runs this program once   x: goes on as a new program
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

volatile long calls;

__attribute__((noinline, noclone)) long called(long n) {
  calls += n;
  return calls;
}

int main(int argc, char **argv) {
  char letter;

  if (argc > 1 && !strcmp(argv[1], "once")) return called(1) != 1;
  if (argc > 1 && write(STDOUT_FILENO, argv[1], 1) != 1) return 1;  // after the exec
  while (read(STDIN_FILENO, &letter, 1) == 1) {
    if (letter == 'c') called(1);
    if (letter == 'f' && !fork()) _exit(called(1) < 1);
    if (letter == 'v' && !vfork()) {
      execl("/proc/self/exe", "caller", "once", NULL);
      _exit(1);
    }
    if (letter == 'x') execl("/proc/self/exe", "caller", "x", NULL);
    if (letter == 'f' || letter == 'v') wait(NULL);
    if (write(STDOUT_FILENO, &letter, 1) != 1) return 1;
  }
  return 0;
}
