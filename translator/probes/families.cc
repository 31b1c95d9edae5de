// SPDX-License-Identifier: GPL-2.0-or-later
// The list of probe families: a new family's file is named here and nowhere else.
#include "probes/families.h"

const std::vector<const ProbeFamily *> &probe_families() {
  static const std::vector<const ProbeFamily *> families = {
      &begin_family, &function_family, &never_family, &timer_family, &tracepoint_family,
  };
  return families;
}
