// SPDX-License-Identifier: GPL-2.0-or-later
// Calls getppid() from a function of its own, by no library: CALLS times.
#define STRING_(name) #name
#define STRING(name) STRING_(name)
const char program[] = STRING(INNER);

__attribute__((noinline)) static void INNER(void) {
  long result = 110;  // getppid

  __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}

__attribute__((noinline)) static void OUTER(void) {
  for (int i = 0; i < CALLS; i++) INNER();
}

int main(void) {
  OUTER();
  return 0;
}
