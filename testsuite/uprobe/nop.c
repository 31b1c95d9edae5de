// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps a number below the stack pointer, as a leaf function may, over a 5-byte no-op, 1000 times; prints the sum.
#include <stdio.h>

long kept(long n);

__asm__(
    ".text\n"
    ".globl kept\n"
    ".type kept, @function\n"
    "kept:\n"
    "  mov %rdi, -8(%rsp)\n"
    ".globl no_op\n"
    ".type no_op, @function\n"
    "no_op:\n"
    "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    "  mov -8(%rsp), %rax\n"
    "  ret\n"
    ".size no_op, . - no_op\n"
    ".size kept, . - kept\n");

int main(void) {
  long sum = 0;

  for (long i = 0; i < 1000; i++) sum += kept(i);
  printf("%ld\n", sum);
  return 0;
}
