// SPDX-License-Identifier: GPL-2.0-or-later
// A program that prints the values which show() is called with: the probe on show() must print the same.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "values.h"

static int calls;  // of show(), which counts them in its variable `hidden`

static void call(struct record *r, int n) {
  printf("%u %u %d %lld\n", r->one, r->five, r->minus, (long long)r->wide);
  printf("%d %s %d %s\n", r->color, r->color == green ? "green" : "blue", r->flag, r->name);
  printf("%d %d %d\n", r->point.x, r->point.y, r->anonymous);
  printf("%d %d %d\n", r->grid[0][1], r->grid[1][0], r->grid[1][2]);
  printf("%s %d %d\n", r->call == twice ? "twice" : "another", (*r->back)->point.y, r->back == &r->back[0]);
  printf("%d %d %d\n", r->inner[1].a, r->inner[1].number, r->inner[1].bytes[2]);
  printf("%d %ld %ld\n", r->count, r->flexible[0], r->flexible[r->count - 1]);
  printf("%d %d %d %d %d %s %ld %d\n", blue, 'k' + n, 200 + n, -300 - n, n & 1, "some text", -7L - n, 8 + n);
  printf("%ld %d %d %d\n", thread_total, shared, (int)(8 + thread_total / 100), 41 + calls++);
  printf("{.x=%d, .y=%d}\n", r->point.x, r->point.y);
  fflush(stdout);
  show(r, blue, (char)('k' + n), (unsigned char)(200 + n), (short)(-300 - n), n & 1, "some text", -7L - n, 8 + n);
}

static void *in_thread(void *record) {
  thread_total = 77;  // less than 100: show() was not called in this thread
  call(record, 1);
  return NULL;
}

int main(void) {
  struct record *r = calloc(1, sizeof *r + 3 * sizeof(long)), *pointer = r;
  pthread_t thread;

  r->one = 1, r->five = 21, r->minus = -33, r->wide = -123456789012LL, r->color = green, r->flag = 1;
  snprintf(r->name, sizeof r->name, "seven77");
  r->point.x = -1, r->point.y = 2, r->anonymous = 33;
  for (int i = 0; i < 6; i++) r->grid[i / 3][i % 3] = 10 * i - 7;
  r->call = twice, r->back = &pointer;
  r->inner[1].a = -5, r->inner[1].number = 0x00fe0102, r->count = 3;
  for (int i = 0; i < 3; i++) r->flexible[i] = 1L << (20 * i);
  call(r, 0);
  r->color = blue, r->minus = 31;
  shared += twice(1);
  pthread_create(&thread, NULL, in_thread, r);
  pthread_join(thread, NULL);
  call(r, 2);
  return 0;
}
