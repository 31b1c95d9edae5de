// SPDX-License-Identifier: GPL-2.0-or-later
// A program with marks whose arguments are known: some as the compiler chooses to pass them, and one by hand with all
// forms of operands.
#include <sys/sdt.h>

static int numbers[] = {-1, -2, 3, -400};
static volatile char text[] = "? text";  // on a page that is in memory, for it is written

static __attribute__((noipa)) void sizes(signed char a, unsigned char b, short c, unsigned short d, int e,
                                         unsigned int f, long g, const char *h) {
  STAP_PROBE8(demo, sizes, a, b, c, d, e, f, g, h);
}

// What <sys/sdt.h> makes of a mark, with operands in the text.
#define HAND_MADE(name, operands)                       \
  "990: nop\n"                                          \
  ".pushsection .note.stapsdt,\"\",\"note\"\n"          \
  ".balign 4\n.4byte 992f-991f, 994f-993f, 3\n"         \
  "991: .asciz \"stapsdt\"\n992: .balign 4\n"           \
  "993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n" \
  ".asciz \"byhand\"\n.asciz \"" name "\"\n.asciz \"" operands "\"\n994: .balign 4\n.popsection\n"

static __attribute__((noinline)) void forms(void) {
  __asm__ volatile(
      "movabs $0x1122334455667788, %%rax\n"
      "mov $-16, %%rcx\n"
      "mov $0x12345, %%r8\n"
      "mov $2, %%rdi\n"
      "lea %0, %%rsi\n" HAND_MADE("forms",
                                  "8@%%rax 4@%%eax -2@%%ax 1@%%ah -1@%%al -8@%%rcx 4@%%ecx -4@$-7 4@$-7 8@$0x10 "
                                  "-4@4(%%rsi) -4@(%%rsi,%%rdi,4) -4@-4+8(%%rsi,%%rdi,4) 4@numbers+4(%%rip) 8@$numbers "
                                  "8@%%rsi %%rdi (%%rsi) 4f@%%xmm0 8@%%fs:0 1@%%dil 2@%%r8w -4@nowhere(%%rip)")
      :
      : "m"(numbers)
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "memory");
}

int main(int count, char **words) {
  (void)words;
  for (int i = 0; i < 10; i++) STAP_PROBE2(demo, step, i * count, -i);
  STAP_PROBE(demo, nothing);
  text[0] = 'a';
  sizes(-3, 253, -300, 65236, -70000, 4000000000u, -5000000000, (const char *)text);
  forms();
  return 0;
}
