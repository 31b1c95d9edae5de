// SPDX-License-Identifier: GPL-2.0-or-later
// The optimisations in the order they feed each other.
#include "optimize/optimize.h"

#include "sema/elaborate.h"

void optimize(Session &s) {
  if (s.options.unoptimized) return;
  fold_constants(s);
  remove_dead_statements(s);
  // A dropped statement may have been the last to read a variable, whose assignments then go too.
  for (int round = 0; round < 4; round++) {
    analyze_access(s);
    remove_unread_assignments(s);
    remove_dead_statements(s);
  }
  analyze_access(s);
  remove_unused_variables(s);
  join_concatenations(s);
  keep_stable_values(s);
  merge_functions(s);
  merge_handlers(s);
}
