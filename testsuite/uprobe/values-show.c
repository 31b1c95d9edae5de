// SPDX-License-Identifier: GPL-2.0-or-later
// The function that is probed, in a file of its own so that no compiler looks through it.
#include "values.h"

__thread long thread_total = 5;
int shared = 40;
static __thread short thread_calls[3] = {7, 8, 9};
static int hidden = 41;

__attribute__((noinline)) int twice(int n) { return 2 * n; }

__attribute__((noinline)) void show(struct record *r, enum color c, char letter, unsigned char byte, short small,
                                    _Bool yes, const char *text, long seventh, int eighth) {
  __asm__ volatile("" : : "r"(r), "r"(c), "r"((int)letter), "r"((int)byte), "r"((int)small) : "memory");
  __asm__ volatile("" : : "r"((int)yes), "r"(text), "r"(seventh), "r"(eighth) : "memory");
  hidden++;
  thread_calls[1]++;
  thread_total += 100;
}
