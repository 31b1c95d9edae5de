// SPDX-License-Identifier: GPL-2.0-or-later
// Where the running kernel's text begins, which a start is told.
#pragma once
#include <stdio.h>
#include <string.h>

#include "abi/types.h"

static u64 text_address(void) {
  FILE *f = fopen("/proc/kallsyms", "re");
  unsigned long long address = 0;
  char line[512], name[256];

  while (f && fgets(line, sizeof(line), f))
    if (sscanf(line, "%llx %*c %255s", &address, name) == 2 && !strcmp(name, "_stext")) break;
  if (f) fclose(f);
  return address;
}
