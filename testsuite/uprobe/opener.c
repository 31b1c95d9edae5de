// SPDX-License-Identifier: GPL-2.0-or-later
// opener LIBRARY: loads it when it runs, says so by a byte, and waits for the end of its standard input.
#include <dlfcn.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char letter = 'x';

  if (argc < 2 || !dlopen(argv[1], RTLD_NOW) || write(STDOUT_FILENO, &letter, 1) != 1) return 1;
  while (read(STDIN_FILENO, &letter, 1) == 1) {}
  return 0;
}
