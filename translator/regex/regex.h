// SPDX-License-Identifier: GPL-2.0-or-later
// A regular expression of a script, compiled: whether, where, and with which subexpressions it matches.
#pragma once
#include <string>
#include <vector>

#include "regex/automaton.h"

namespace regex {

// How a match of a part is divided among its own parts; only parts with groups in them are there.
// The children divide the range the part matched: see runtime/core/regex.c.
struct Split {
  enum class Kind : uint8_t { Group, Concat, Alternate, Repeat } kind{};
  int first = -1, second = -1;        // Split numbers, -1: no groups there
  int first_dfa = -1, rest_dfa = -1;  // numbers of automata
  int group = 0, last_group = 0;
};

struct Compiled {
  int groups = 0;  // in parentheses
  std::vector<Dfa> automata;
  int search = -1;  // does it match anywhere: stop at the first accepting state
  // Only with groups, which matched() and the like ask for:
  int back = -1;     // read backwards: where matches begin
  int forward = -1;  // from a beginning: where matches end
  std::vector<Split> splits;
  int root = -1;
};

// Throws SyntaxError or TooBig.
Compiled compile(const std::string &pattern, bool with_groups);

}  // namespace regex
