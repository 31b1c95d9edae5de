// SPDX-License-Identifier: GPL-2.0-or-later
// Shell-style patterns as in fnmatch(3), except that a backslash is an ordinary character.
#include "base/glob.h"

#include <fnmatch.h>

bool has_wildcard(const std::string &text) { return text.find_first_of("*?[") != std::string::npos; }

bool wildcard_match(const std::string &pattern, const std::string &text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}
