// SPDX-License-Identifier: GPL-2.0-or-later
// The ways in which a probe gets its hits, named as the runtime's table has them (runtime/abi/attach_kinds.h).
#pragma once
#include "abi/attach_kinds.h"

namespace attach {

// None: nothing ever hits the probe.
enum class Kind {
  None,
#define STAP_KIND(NAME, Name, name, FIELDS) Name,
  STAP_ATTACH_KINDS(STAP_KIND)
#undef STAP_KIND
};

}  // namespace attach
