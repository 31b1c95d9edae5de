// SPDX-License-Identifier: GPL-2.0-or-later
// Where a symbol of the kernel lies, function or data, by the kernel's own symbol table.
#pragma once
#include <string>

#include "base/session.h"
#include "debuginfo/binary.h"

struct KernelSymbolPlace {
  const TargetBinary *kernel = nullptr;
  uint64_t offset = 0;  // from _stext
};

// The reason says near names, or why there is no table. Makes the script check that the running kernel is the one
// asked.
Result<KernelSymbolPlace> find_kernel_symbol(Session &s, const std::string &name);
