// SPDX-License-Identifier: GPL-2.0-or-later
// Makes memory both writable and executable in three ways, and tells where.
#include <stdio.h>
#include <sys/mman.h>

static __attribute__((noinline)) void *make_code(void) {
  void *memory = mmap(NULL, 64 << 10, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  __asm__ volatile("");
  return memory;
}

int main(void) {
  int protection = PROT_READ | PROT_WRITE;
  if (make_code() == MAP_FAILED) return 1;
  // Neighbours of the same kind would become one mapping.
  void *second = mmap(NULL, 32 << 10, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void *third = mmap(NULL, 16 << 10, protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  printf("second %#lx\nthird %#lx\n", (unsigned long)second, (unsigned long)third);
  return mprotect(second, 32 << 10, protection | PROT_EXEC) || mprotect(third, 16 << 10, PROT_READ | PROT_EXEC);
}
