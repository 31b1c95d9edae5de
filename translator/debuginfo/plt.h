// SPDX-License-Identifier: GPL-2.0-or-later
// The procedure linkage table of a program: the stubs through which it calls functions of other files.
#pragma once
#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

struct PltEntry {
  std::string name;      // of the function, without a version
  uint64_t address = 0;  // of the stub's first instruction, in the file
};

// In the order of addresses. Empty for a file that calls no other.
std::vector<PltEntry> plt_of(Elf *elf);
