// SPDX-License-Identifier: GPL-2.0-or-later
// Makes system calls of the 32-bit ABI; what it passes lies below 4 GiB, since it is linked at a fixed address.
static long call(long number, long b, long c, long d, long s, long i) {
  long result;

  asm volatile("int $0x80" : "=a"(result) : "a"(number), "b"(b), "c"(c), "d"(d), "S"(s), "D"(i) : "memory");
  return result;
}

static struct { unsigned base, length; } vector[2];
static const char path[] = "known32", one[] = "one\n", two[] = "two";
static int moment[2] = {0, 1500};
static unsigned limits[2] = {1000, ~0u};
static char buffer[8];

#define ADDRESS(x) ((long)(x))

int main(void) {
  // A page that was never touched is not in memory, and a probe does not wait for it.
  (void)*(volatile const char *)path;
  (void)*(volatile int *)moment;
  vector[0].base = (unsigned)ADDRESS(one);
  vector[0].length = 4;
  vector[1].base = (unsigned)ADDRESS(two);
  vector[1].length = 3;
  call(39, ADDRESS(path), 0700, 0, 0, 0);
  call(39, ADDRESS(path), 0700, 0, 0, 0);
  call(146, -1, ADDRESS(vector), 2, 0, 0);
  call(162, ADDRESS(moment), 0, 0, 0, 0);
  call(180, -1, ADDRESS(buffer), 5, 7, 1);
  call(75, 4, ADDRESS(limits), 0, 0, 0);
  call(52, ADDRESS(path), 2, 0, 0, 0);
  return 0;
}
