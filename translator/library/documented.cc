// SPDX-License-Identifier: GPL-2.0-or-later
// What the SystemTap manual documents and stap does not have yet: names of functions and of probe points.
#include "library/documented.h"

#include <set>
#include <sstream>

namespace {

// The functions of stapfuncs(3stap) that tapsets/ lacks.
const char *const functions = "asmlinkage fastcall module_size regparm sa_handler switch_file task_backtrace";

// The first words of those probe points and aliases of which there are none here.
const char *const probe_points = "java memory python2 python3 stap stapio staprun";

// The words that may follow `kernel` or `module("NAME")`.
const char *const kernel_points = "data mark statement tracepoint";

bool has_word(const char *list, const std::string &word) {
  std::istringstream words(list);
  for (std::string w; words >> w;)
    if (w == word) return true;
  return false;
}

}  // namespace

bool manual_has_function(const std::string &name) { return has_word(functions, name); }

bool manual_has_probe_point(const std::string &first, const std::string &second) {
  if (first == "kernel" || first == "module") return has_word(kernel_points, second);
  return has_word(probe_points, first);
}
