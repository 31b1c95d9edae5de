// SPDX-License-Identifier: GPL-2.0-or-later
// Functions that call others, once and twice, inlined, through a pointer and by a jump, for callees.sh.
int total;
void (*pointer)(int n);

__attribute__((noipa)) void leaf(int n) { total += n; }
__attribute__((noipa)) void other(int n) { total -= n; }
static inline __attribute__((always_inline)) void copied(int n) {
  leaf(n);
  total ^= n;
}
__attribute__((noipa)) void middle(int n) {
  leaf(n);
  leaf(n + 1);
  total++;
}
__attribute__((noipa)) void top(int n) {
  middle(n);
  copied(n);
  other(n);
  pointer(n);
  total++;
}
__attribute__((noipa)) void jumps(int n) {
  total++;
  other(n);
}
