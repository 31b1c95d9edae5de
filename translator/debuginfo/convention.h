// SPDX-License-Identifier: GPL-2.0-or-later
// Where a function's arguments are at its first instruction, by the calling convention alone.
#pragma once
#include <vector>

#include "debuginfo/debuginfo.h"

struct Prototype {
  const TargetType *result = nullptr;  // null: none
  std::vector<const TargetType *> parameters;
};

// Parameter number `wanted`. On the stack it is an address.
TargetLocation argument_at_entry(Session &s, const Place &place, const Prototype &prototype, size_t wanted);
