// SPDX-License-Identifier: GPL-2.0-or-later
// A library that waits before the program begins, in the middle of a call, and while a call is bound to its function.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "place.h"

static volatile int done;

__attribute__((noinline)) static void between(void (*function)(void), volatile char *room) {
  room[0] = 1;
  function();
  done++;
}

void library_calls(void (*function)(void)) {
  volatile char room[1000];

  between(function, room);
  done++;
}

static void does_nothing(void) { done++; }

// The dynamic linker calls it at the first call through the table of procedures (PLT).
static void (*resolve(void))(void) {
  pause();
  done++;
  return does_nothing;
}
void library_binds(void) __attribute__((ifunc("resolve")));

__attribute__((constructor)) static void before_main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "constructor")) pause();
  done++;
}
