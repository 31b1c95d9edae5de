// SPDX-License-Identifier: GPL-2.0-or-later
// A program that passes its marks over unless somebody listens, and says how often somebody did. One is in a library.
#define _SDT_HAS_SEMAPHORES 1
#include <stdio.h>
#include <sys/sdt.h>

#ifdef LIBRARY
__extension__ unsigned short inside_call_semaphore __attribute__((section(".probes")));

int call(int n) {
  if (!__atomic_load_n(&inside_call_semaphore, __ATOMIC_RELAXED)) return 0;
  STAP_PROBE1(inside, call, n);
  return 1;
}
#else
__extension__ unsigned short demo_first_semaphore __attribute__((section(".probes")));
__extension__ unsigned short demo_second_semaphore __attribute__((section(".probes")));
int call(int n);

int main(void) {
  int first = 0, second = 0, inside = 0;

  for (int i = 0; i < 7; i++) {
    if (__atomic_load_n(&demo_first_semaphore, __ATOMIC_RELAXED)) {
      first++;
      STAP_PROBE1(demo, first, i);
    }
    if (__atomic_load_n(&demo_second_semaphore, __ATOMIC_RELAXED)) {
      second++;
      STAP_PROBE1(demo, second, i);
    }
    inside += call(i);
  }
  printf("listened: %d %d %d\n", first, second, inside);
  return 0;
}
#endif
