// SPDX-License-Identifier: GPL-2.0-or-later
// A program whose variables a script changes: it prints what it then sees of them.
#include <stdio.h>

struct inner {
  short low;
  unsigned char bytes[3];
};
struct record {
  int number;
  unsigned flag : 3, rest : 5;
  long wide;
  struct inner inner;
};

static int total;
__attribute__((noipa)) void show(struct record *r, int *element, int plain) {
  total += r->number;
  printf("%d %u %u %lx %d %d %d, %d, total %d\n", r->number, r->flag, r->rest, r->wide, r->inner.low, r->inner.bytes[1],
         *element, plain, total);
}

__attribute__((noipa)) int answer(int question) { return question + 1; }

int main(void) {
  struct record record = {1, 2, 3, 4, {5, "abc"}};
  int numbers[3] = {20, 21, 22};

  show(&record, numbers, 9);
  show(&record, numbers + 1, 10);
  printf("answer %d\n", answer(41));
  return 0;
}
