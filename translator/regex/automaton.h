// SPDX-License-Identifier: GPL-2.0-or-later
// Trees of regular expressions to deterministic automata over classes of bytes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "regex/syntax.h"

namespace regex {

// The expression's automaton would be larger than what a script may carry.
struct TooBig {};

// What stands before or after a position; the numbers are those of runtime/abi/regex.h.
enum Neighbour : uint8_t { Edge = 0, Word = 1, Other = 2 };

// State 0 is dead: nothing can match any more.
struct Dfa {
  uint8_t classes[256] = {};  // byte to class
  unsigned class_count = 0;
  std::vector<uint16_t> next;   // state * class_count + class
  std::vector<uint8_t> accept;  // by state: bit n: a match may end here when Neighbour n follows
  uint16_t start[3] = {};       // by what stands before
  size_t states() const { return accept.size(); }
  bool operator==(const Dfa &other) const;
};

// Throws TooBig.
Dfa make_dfa(const NodePtr &node);

}  // namespace regex
