// SPDX-License-Identifier: GPL-2.0-or-later
// Calls leaf() from two functions, one of them of a template, and from what bsearch(3) calls.
#include <stdlib.h>

namespace box {
__attribute__((noinline, noclone)) int leaf(int n) {
  __asm__ volatile("" : "+r"(n));
  return n + 1;
}
__attribute__((noinline, noclone)) int first(int n) { return leaf(n) * 3; }
template <class T> __attribute__((noinline, noclone)) T second(T n) { return leaf(n) * 5; }
}  // namespace box

static int compare(const void *a, const void *b) { return box::leaf(*(const int *)a) - *(const int *)b - 1; }

// Through a pointer, so that the compiler has no copy of its own.
void *(*volatile search)(const void *, const void *, size_t, size_t, int (*)(const void *, const void *)) = bsearch;

int main() {
  int numbers[] = {7}, key = 7, sum = 0;
  for (int i = 0; i < 300; i++) sum += box::first(i);
  for (int i = 0; i < 500; i++) sum += box::second(i);
  for (int i = 0; i < 20; i++) sum += search(&key, numbers, 1, sizeof(int), compare) != nullptr;
  return sum == 0;
}
