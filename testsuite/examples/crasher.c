// SPDX-License-Identifier: GPL-2.0-or-later
// Crashes on purpose: `write` through a null pointer, `abort`, or `catch` the fault and go on.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  long before[2];
  long value;
};

static __attribute__((noinline)) void broken(struct item *item) { *(volatile long *)&item->value = 1; }

static __attribute__((noinline)) void middle(struct item *item) {
  broken(item);
  __asm__ volatile("");
}

static void on_fault(int number) {
  (void)number;
  _exit(0);
}

int main(int count, char **words) {
  if (count < 2) return 2;
  if (!strcmp(words[1], "abort")) abort();
  if (!strcmp(words[1], "catch")) signal(SIGSEGV, on_fault);
  struct item *volatile none = NULL;
  middle(none);
  return 0;
}
