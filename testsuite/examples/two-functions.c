// SPDX-License-Identifier: GPL-2.0-or-later
// Computes for LONG milliseconds in one function and for SHORT ones in another, of processor time: two-functions LONG
// SHORT
#include <stdlib.h>
#include <time.h>

// No call in between: what is sampled is the function itself.
#define WORK(ms)                                                           \
  unsigned long end = cpu_ms() + (ms), sum = 0;                            \
  do {                                                                     \
    for (volatile int i = 0; i < 300000; i++) sum += (unsigned long)i * i; \
  } while (cpu_ms() < end);                                                \
  return sum

static unsigned long cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

static __attribute__((noinline)) unsigned long long_work(unsigned long ms) { WORK(ms); }

static __attribute__((noinline)) unsigned long short_work(unsigned long ms) { WORK(ms); }

int main(int count, char **words) {
  if (count < 3) return 2;
  volatile unsigned long sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += long_work((unsigned long)atoi(words[1]) / 4);
    sum += short_work((unsigned long)atoi(words[2]) / 4);
  }
  return 0;
}
