// SPDX-License-Identifier: GPL-2.0-or-later
// The limit of a return probe, as probe point or option has it.
#include "probes/max_active.h"

bool read_max_active(Session &s, const ProbePoint &point, uint64_t &calls) {
  calls = static_cast<uint64_t>(s.limits.max_active.value_or(0));
  for (const ProbeComponent &c : point.components) {
    if (c.name != "maxactive") continue;
    if (c.number <= 0 || c.number > most_active_calls) {
      s.diag.error("bad-maxactive", c.place, "semantic error: maxactive must be between 1 and {}", most_active_calls);
      return false;
    }
    calls = static_cast<uint64_t>(c.number);
  }
  return true;
}
