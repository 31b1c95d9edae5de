// SPDX-License-Identifier: GPL-2.0-or-later
// Thread-local variables of programs and libraries.
#pragma once
#include <libelf.h>

#include <functional>
#include <string>

#include "syntax/make.h"

// The run-time address of an address in a file.
using AddressOf = std::function<Expr *(uint64_t address)>;

struct ThreadBlock {
  Expr *address = nullptr;  // null: it can't be found, because of `reason`
  std::string reason;
  uint64_t start = 0, size = 0;  // of the initial values, in the file
};

// Where the block of thread-local variables of a program or library begins in the thread that is hit. `address_of` is
// that of the file's addresses.
ThreadBlock thread_local_block(const NodeFactory &make, Elf *elf, const AddressOf &address_of);
