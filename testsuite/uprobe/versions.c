// SPDX-License-Identifier: GPL-2.0-or-later
// A library whose functions are exported by other names than the source's, with versions, and the program that calls
// them.
#ifdef LIBRARY
int new_twice(int number) { return 2 * number; }
int old_twice(int number) { return number + number; }
int fourfold(int number) { return 4 * number; }
__asm__(".symver new_twice, twice@@NEW");
__asm__(".symver old_twice, twice@OLD");
__asm__(".symver fourfold, quadruple@@NEW");
#else
int twice(int number);
int quadruple(int number);
int of_old(int number);
__asm__(".symver of_old, twice@OLD");

int main(void) {
  volatile int sum = 0;

  for (int i = 1; i <= 5; i++) sum += twice(i);
  for (int i = 0; i < 3; i++) sum += of_old(100);
  sum += quadruple(1000);
  return sum != 2 * 15 + 3 * 200 + 4000;
}
#endif
