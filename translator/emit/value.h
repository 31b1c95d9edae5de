// SPDX-License-Identifier: GPL-2.0-or-later
// What emitting an expression returns: the C text of its value, and what is known of that value.
#pragma once
#include <string>
#include <utility>

struct Value {
  std::string text;
  bool is_temporary = false;  // the text is the name of a C variable that was made for this value
  // May an operand that is evaluated later change the value before it is used? Then `settle` has to keep it.
  bool may_change = true;

  static Value constant(std::string text) { return {std::move(text), false, false}; }
  static Value temporary(std::string name) { return {std::move(name), true, false}; }
  // A string temporary whose bytes may be those of a variable: `c ? s : "x"`, f(s), `s . ""`.
  static Value slice(std::string name) { return {std::move(name), true, true}; }
  // C text that is evaluated where it is used. It counts as reading a variable, whatever its operands are.
  static Value expression(std::string text) { return {std::move(text), false, true}; }
};
