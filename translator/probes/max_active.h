// SPDX-License-Identifier: GPL-2.0-or-later
// How many calls a return probe follows at once.
#pragma once
#include <cstdint>

#include "base/session.h"
#include "syntax/ast.h"

// What .maxactive(N) of the point says, else KRETACTIVE; 0: the host's default. False after an error.
bool read_max_active(Session &s, const ProbePoint &point, uint64_t &calls);
