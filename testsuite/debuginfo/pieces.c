// SPDX-License-Identifier: GPL-2.0-or-later
// Objects that are nowhere as a whole: structures in two registers, and locals that the compiler took apart.
struct pair {
  long first;
  int second;
  short third : 5, fourth;
};

long total;

__attribute__((noipa)) long take(int before, struct pair p, int after) {
  return p.first + p.second + p.third + p.fourth + before + after;
}

__attribute__((noipa)) struct pair make(long n) { return (struct pair){n, 2, 3, 4}; }

static inline __attribute__((always_inline)) long sum(struct pair *q) {
  total += q->second;
  return q->first * 3 + q->second;
}

__attribute__((noipa)) long work(long a, int b) {
  struct pair local = {a, b, 0, 0};

  total++;
  return sum(&local);
}

extern long half_of(long n);

__attribute__((noipa)) long later(long n) {
  long half = half_of(n);

  half_of(half);
  return half * total;
}
