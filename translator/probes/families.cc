// SPDX-License-Identifier: GPL-2.0-or-later
// The list of families.h as the rest of the translator sees it.
#include "probes/families.h"

const std::vector<const ProbeFamily *> &probe_families() {
#define STAP_FAMILY(name) &name##_family,
  static const std::vector<const ProbeFamily *> families = {PROBE_FAMILIES(STAP_FAMILY)};
#undef STAP_FAMILY
  return families;
}
