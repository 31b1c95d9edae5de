// SPDX-License-Identifier: GPL-2.0-or-later
// What the two files of a program with values of all kinds share.
enum color { red = 1, green = -2, blue = 1000000 };

struct inner {
  short a;
  union {
    int number;
    unsigned char bytes[4];
  };
};

struct record {
  unsigned one : 1, five : 5;
  int minus : 7;
  long long wide : 40;
  enum color color;
  _Bool flag;
  char name[8];
  struct {
    int x, y;
  } point;
  struct {
    int anonymous;
  };
  int grid[2][3];
  int (*call)(int);
  struct record **back;
  struct inner inner[2];
  int count;
  long flexible[];
};

extern __thread long thread_total;
extern int shared;

int twice(int n);
void show(struct record *r, enum color c, char letter, unsigned char byte, short small, _Bool yes, const char *text,
          long seventh, int eighth);
