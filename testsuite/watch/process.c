// SPDX-License-Identifier: GPL-2.0-or-later
// Writes 5 times to a word at a known address and reads it 3 times; then a thread and a child write it 4 and 2 times.
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long *word;

static void write_it(int times) {
  for (int i = 0; i < times; i++) word[0] = i;
}

static void *thread(void *name) {
  prctl(PR_SET_NAME, name);
  write_it(4);
  return NULL;
}

int main(void) {
  char *page = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  pthread_t t;
  long sum = 0;

  if (page == MAP_FAILED) return 1;
  word = (long *)(page + 8);
  write_it(5);
  for (int i = 0; i < 3; i++) sum += word[0];
  if (pthread_create(&t, NULL, thread, "thread") || pthread_join(t, NULL)) return 1;
  if (!fork()) {
    prctl(PR_SET_NAME, "child");
    write_it(2);
    _exit(0);
  }
  wait(NULL);
  return sum != 12;
}
