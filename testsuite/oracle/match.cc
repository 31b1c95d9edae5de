// SPDX-License-Identifier: GPL-2.0-or-later
// The oracle's regular expressions: libc's.
#include <algorithm>
#include <regex.h>
#include <stdexcept>

#include "value.h"

Match match_text(const std::string &text, const std::string &pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED)) throw std::logic_error("a bad pattern: " + pattern);
  std::vector<regmatch_t> at(compiled.re_nsub + 1);
  // A NUL byte ends libc's text, or is no character to its `.`: another byte stands for it that no pattern names.
  std::string plain = text;
  std::replace(plain.begin(), plain.end(), '\0', '\1');
  Match match;
  match.found = regexec(&compiled, plain.c_str(), at.size(), at.data(), 0) == 0;
  regfree(&compiled);
  if (!match.found) return match;
  for (const regmatch_t &part : at)
    match.parts.push_back(
        part.rm_so < 0 ? ""
                       : text.substr(static_cast<size_t>(part.rm_so), static_cast<size_t>(part.rm_eo - part.rm_so)));
  return match;
}
