// SPDX-License-Identifier: GPL-2.0-or-later
// Shell-style patterns, as fnmatch(3) has them; a backslash is itself.
#include "base/glob.h"

#include <fnmatch.h>

bool has_wildcard(const std::string &text) { return text.find_first_of("*?[") != std::string::npos; }

bool wildcard_match(const std::string &pattern, const std::string &text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}
