// SPDX-License-Identifier: GPL-2.0-or-later
// An object with debuginfo for the tests of this directory: structures, bit-fields, arrays and inlined functions.
typedef unsigned int u32;
typedef unsigned char u8;

enum colour { RED, GREEN = 7 };

struct inner {
  short x, y;
};

struct outer {
  int count;
  u32 kind : 3, flag : 1;
  int depth : 4;
  union {
    long whole;
    struct {
      u8 low, high;
    };
  };
  struct inner pairs[4];
  struct inner *link;
  struct outer *next;
  char name[16];
  const char *text;
  enum colour colour;
  int (*call)(struct outer *, long);
  _Bool on;
};

int total;
static struct inner table[8];

__attribute__((noipa)) int touch(struct outer *o, int n, u8 small, const char *label)
{
  total += n + o->count + small + label[0];
  return table[n & 7].x;
}

static inline int twice(struct outer *o, int by)
{
  return touch(o, by, 1, "a") + touch(o, -by, 2, "b");
}

__attribute__((noipa)) long work(struct outer *o, int n)
{
  return twice(o, n) + (long)table[n & 3].y;
}

__attribute__((noipa)) void nothing(void)
{
  total++;
}

__attribute__((noipa)) int gone(int n)
{
  int unused = n * 3, local = touch(0, n, 1, "c");

  return local + 1;
}
