// SPDX-License-Identifier: GPL-2.0-or-later
// toucher PAGES: touches so many new pages, in itself and then in a child, and says by getrusage(2) how many page
// faults each of them has had in all.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long touched(long pages) {
  char *area = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long i;

  if (area == MAP_FAILED) exit(1);
  madvise(area, pages * 4096, MADV_NOHUGEPAGE);
  for (i = 0; i < pages; i++) area[i * 4096] = 1;
  return i;
}

int main(int argc, char **argv) {
  const long pages = argc > 1 ? atol(argv[1]) : 1;
  const pid_t child = (touched(pages), fork());
  struct rusage usage;

  if (!child) touched(pages);
  getrusage(RUSAGE_SELF, &usage);
  printf("%d %ld\n", getpid(), usage.ru_minflt + usage.ru_majflt);
  fflush(stdout);
  if (!child) _exit(0);
  wait(NULL);
  return 0;
}
