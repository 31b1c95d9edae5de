// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols that tell where a module's sections are.
#pragma once
#include <libelf.h>

#include <vector>

#include "debuginfo/binary.h"

// One for each section that the kernel loads and that has a symbol with a name of its own. `elf` is a relocatable file.
std::vector<SectionAnchor> section_anchors(Elf *elf);
