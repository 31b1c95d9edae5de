// SPDX-License-Identifier: GPL-2.0-or-later
// Code whose lines, labels and inlined copies are known, for statements.sh. Tests find its lines by their comments.
extern void say(int n);
int total;

static inline __attribute__((always_inline)) void tally(int n) {
  int twice = n * 2;
  say(twice);  // line in-copy
  total++;
}

__attribute__((noipa)) int work(int n) {
  int sum = 0;  // declared at work + 2
  int i;

  for (i = 0; i < n; i++) {
    say(i);
    if (i & 1) {
      tally(i);
      sum += total;
    }
    if (total < 0) goto out;
  }
  tally(n);
  say(sum);  // line after-loop
out:
  say(total);  // line at-out
  return sum;
}

__attribute__((noipa, cold)) void leave(void) {
  say(0);  // line in-leave
}

__attribute__((section(".init.text"), noipa)) void start(void) {
  say(1);  // line in-start
}
