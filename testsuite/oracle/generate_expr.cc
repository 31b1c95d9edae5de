// SPDX-License-Identifier: GPL-2.0-or-later
// Random expressions: numbers and strings from variables, elements, aggregates, operators, assignments and calls.
#include "generate.h"

#include <algorithm>

// ---------------------------------------------------------------- numbers

std::string Generator::literal() {
  // clang-format off
  static const std::vector<std::string> edges = {
      "0", "1", "2", "3", "7", "10", "63", "64", "65", "255", "4096", "0x7fffffff", "0x80000000", "4294967295",
      "0xffffffffff", "9223372036854775807", "(-9223372036854775807 - 1)", "(-1)", "(-2)", "(-7)", "017", "0x1f",
      "1000000007",
};
  // clang-format on
  return once_in(3) ? std::to_string(below(20)) : any(edges);
}

std::string Generator::number_leaf() {
  switch (below(6)) {
    case 0: return literal();
    case 1: return fixed_numbers_.empty() ? literal() : any(fixed_numbers_);
    default: return any(numbers_);
  }
}

std::string Generator::arithmetic(int depth) {
  static const std::vector<std::string> operators = {"+",   "-", "*", "/", "%", "<<", ">>",
                                                     ">>>", "&", "|", "^", "+", "-",  "*"};
  const std::string &op = any(operators);
  const std::string left = number(depth - 1);
  std::string right = number(depth - 1);
  if ((op == "/" || op == "%") && !once_in(8))
    right = once_in(2) ? "(" + right + " | 1)" : literal() == "0" ? "3" : std::to_string(below(9) - 10);
  return "(" + left + " " + op + " " + right + ")";
}

std::string Generator::comparison(int depth) {
  static const std::vector<std::string> operators = {"==", "!=", "<", "<=", ">", ">="};
  const Sort sort = once_in(3) ? Sort::Text : Sort::Number;
  const std::string left = expr(sort, depth - 1);
  return "(" + left + " " + any(operators) + " " + expr(sort, depth - 1) + ")";
}

// An expression that changes what it names.
std::string Generator::number_effect(int depth) {
  static const std::vector<std::string> operators = {
      "=", "=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="};
  std::string target = any(numbers_);
  if (const ArrayShape *array = any_array(false, true); array && array->value == Sort::Number && once_in(2))
    target = element(*array, depth - 1);
  switch (below(6)) {
    case 0: return "(" + target + "++)";
    case 1: return "(" + target + "--)";
    case 2: return "(++" + target + ")";
    case 3: return "(--" + target + ")";
    default: {
      const std::string &op = any(operators);
      std::string right = number(depth - 1);
      if ((op == "/=" || op == "%=") && !once_in(8)) right = "(" + right + " | 1)";
      return "(" + target + " " + op + " " + right + ")";
    }
  }
}

std::string Generator::statistic() {
  static const std::vector<std::string> readers = {"@count", "@count", "@sum", "@sum", "@min", "@max", "@avg"};
  std::string of = any(aggregates_);
  if (const ArrayShape *array = any_array(true, false); array && once_in(2)) of = element(*array, 0);
  if (once_in(5)) return "@variance(" + of + (variance_shift_ ? ", " + std::to_string(variance_shift_) : "") + ")";
  return any(readers) + "(" + of + ")";
}

// An aggregate that has a histogram, with it; "" when there is none.
std::string Generator::any_aggregate(int depth, std::string &histogram) {
  const ArrayShape *array = any_array(true, false);
  const bool of_array = array && histograms_.count(array->name) && once_in(2);
  const std::string &name = of_array ? array->name : aggregates_[0];
  if (!histograms_.count(name)) return "";
  const std::string of = of_array ? element(*array, depth) : name;
  histogram = histograms_.at(name);
  histogram.replace(histogram.find('&'), 1, of);
  return of;
}

std::string Generator::drawing(int depth) {
  std::string histogram;
  return any_aggregate(depth, histogram).empty() ? "" : histogram;
}

std::string Generator::bucket(int depth) {
  const std::string histogram = drawing(0);
  if (histogram.empty()) return statistic();
  const bool is_log = histogram[6] == 'l' && histogram[7] == 'o';
  const std::string some = is_log ? std::to_string(60 + below(20)) : std::to_string(below(4));
  return histogram + "[" + (once_in(8) ? number(depth) : some) + "]";
}

// Subexpressions only where every way to divide a match is the same, since libraries differ on the rest.
std::string Generator::regex_match(int depth) {
  static const std::vector<std::string> patterns = {"a+b",
                                                    "^[a-c]*$",
                                                    "(x|yz)+",
                                                    "e.?f",
                                                    "[[:digit:]]{2}",
                                                    "^$",
                                                    "[^ a-z]",
                                                    "b|ab$",
                                                    "(a)(b)?",
                                                    "^(.)(.*)$",
                                                    "([a-z]+)([0-9]*)",
                                                    "x(y)z",
                                                    "(b|c).?",
                                                    "([[:alpha:]])([^a]?)",
                                                    "^(..)(.?)",
                                                    "()a",
                                                    "(z.*y)|(a)"};
  return "(" + text(depth) + (once_in(3) ? " !~ \"" : " =~ \"") + any(patterns) + "\")";
}

std::string Generator::matched(int depth) {
  const std::string pattern = any(std::vector<std::string>{"(a)(b)?", "^(.)(.*)$", "([a-z]+)([0-9]*)", "(z.*y)|(a)"});
  const std::string which = once_in(3)   ? "matched(" + std::to_string(below(4)) + ")"
                            : once_in(2) ? "matched_str()"
                                         : "matched(1)";
  return "(" + text(depth) + " =~ \"" + pattern + "\" ? " + which + " : " + (once_in(6) ? which : text_leaf()) + ")";
}

std::string Generator::keys(const ArrayShape &array, int depth, bool slices) {
  std::string list;
  for (Sort sort : array.keys) {
    // Few different keys, so that elements are found again.
    std::string key = sort == Sort::Number ? (once_in(3) ? number(depth) : "(" + number_leaf() + " & 3)")
                                           : (once_in(3) ? text(depth) : text_literal());
    if (slices && once_in(2)) key = "*";
    list += (list.empty() ? "" : ", ") + key;
  }
  return list;
}

std::string Generator::element(const ArrayShape &array, int depth) {
  return array.name + "[" + keys(array, std::max(depth, 0), false) + "]";
}

std::string Generator::membership(int depth) {
  const ArrayShape &array = any(arrays_);
  const bool slices = array.keys.size() > 1 && once_in(3);
  const std::string list = keys(array, depth - 1, slices);
  return "([" + list + "] in " + array.name + ")";
}

std::string Generator::call(Sort result, int depth) {
  std::vector<const FunctionShape *> usable;
  for (const FunctionShape &f : functions_)
    if (f.result == result && allows_calls_ &&
        (!f.changes_arrays || (iterated_.empty() && !(self_ && !self_->changes_arrays))))
      usable.push_back(&f);
  const bool recursion = self_ && allows_calls_ && self_->result == result && !loops_ && !nesting_ && once_in(2);
  if (recursion) usable.assign(1, self_);
  if (usable.empty() || (self_ && loops_)) return expr(result, 0);
  const FunctionShape &f = *any(usable);
  std::string list = recursion ? "depth - 1" : std::to_string(below(4));
  for (size_t i = 1; i < f.parameters.size(); i++) list += ", " + expr(f.parameters[i], depth - 1);
  return f.name + "(" + list + ")";
}

std::string Generator::number(int depth) {
  if (depth <= 0) return number_leaf();
  switch (below(19)) {
    case 0:
    case 1:
    case 2:
    case 3: return arithmetic(depth);
    case 4:
    case 5: return comparison(depth);
    case 6:
      return std::string("(") + any(std::vector<std::string>{"-", "!", "~", "+"}) + "(" + number(depth - 1) + "))";
    case 7: return "(" + number(depth - 1) + (once_in(2) ? " && " : " || ") + number(depth - 1) + ")";
    case 8: {
      const std::string condition = number(depth - 1), yes = number(depth - 1);
      return "(" + condition + " ? " + yes + " : " + number(depth - 1) + ")";
    }
    case 9:
    case 10: return number_effect(depth);
    case 11: return statistic();
    case 12: return membership(depth);
    case 13: {
      const ArrayShape *array = any_array(false, false);
      return array && array->value == Sort::Number ? element(*array, depth - 1) : number_leaf();
    }
    case 14: return call(Sort::Number, depth);
    case 15: return "strlen(" + text(depth - 1) + ")";
    case 16: return regex_match(depth - 1);
    case 17:
      return once_in(4) ? "(" + regex_match(depth - 1) + " ? ngroups() : " + number_leaf() + ")" : bucket(depth - 1);
    default: {
      const std::string in = text(depth - 1);
      return (once_in(2) ? "isinstr(" : "strpos(") + in + ", " + text(depth - 1) + ")";
    }
  }
}

// ---------------------------------------------------------------- strings

std::string Generator::text_literal() {
  static const std::vector<std::string> literals = {"\"\"",
                                                    "\"a\"",
                                                    "\"b\"",
                                                    "\"ab\"",
                                                    "\"abc\"",
                                                    "\"xyz\"",
                                                    "\"aab\"",
                                                    "\"12\"",
                                                    "\"\xc3\xa9\"",
                                                    "\"\xe2\x82\xac\"",
                                                    "\"z\xf0\x9f\x90\xa7y\"",
                                                    "\"two words\"",
                                                    "\"\\\"q\\\"\"",
                                                    "\"\\\\\"",
                                                    "\"tab\\t\"",
                                                    "\"line\\n\"",
                                                    "\"\\101\\x42\"",
                                                    "\"100%\"",
                                                    "\"%s%d\"",
                                                    "\"?\" \"?/\"",
                                                    "\"ef\" \"gh\"",
                                                    "\"0123456789abcdef\""};
  return any(literals);
}

std::string Generator::text_leaf() { return once_in(3) ? text_literal() : any(texts_); }

std::string Generator::text_effect(int depth) {
  std::string target = any(texts_);
  if (const ArrayShape *array = any_array(false, true); array && array->value == Sort::Text && once_in(2))
    target = element(*array, depth - 1);
  return "(" + target + (once_in(2) ? " = " : " .= ") + text(depth - 1) + ")";
}

// One directive; what it converts, with widths and precisions from arguments before it, is added to `arguments`.
std::string Generator::directive(Sort sort, int depth, std::string &arguments) {
  auto flags = [&](const char *allowed) {
    std::string chosen;
    for (const char *f = allowed; *f; f++)
      if (once_in(4)) chosen += *f;
    return chosen;
  };
  auto amount = [&](int most) {
    if (!once_in(4)) return std::to_string(below(most) + 1);
    arguments += ", " + std::to_string(below(2 * most) - most);
    return std::string("*");
  };
  std::string d = "%", conversion = "s";
  if (sort == Sort::Number)
    conversion = any(std::vector<std::string>{"d", "d", "d", "i", "u", "o", "x", "X", "p", "c", "b"});
  if (conversion == "b") {
    arguments += ", " + number(depth);
    return d + any(std::vector<std::string>{"", "1", "2", "4", "8"}) + "b";
  }
  d += flags(conversion == "s"                        ? "-"
             : conversion == "d" || conversion == "i" ? "-+ 0"
             : conversion == "u"                      ? "-0"
             : conversion == "c"                      ? "-#"
                                                      : "-#0");
  if (once_in(3)) d += amount(24);
  if (conversion != "c" && once_in(3)) d += "." + (once_in(6) ? "" : amount(12));
  arguments += ", " + (conversion == "c" && !once_in(3) ? "(" + number(depth) + " & 127)" : expr(sort, depth));
  return d + conversion;
}

// A format and its arguments.
std::string Generator::format_arguments(int depth) {
  std::string format, arguments;
  for (int i = 1 + below(3); i > 0; i--) {
    format += any(std::vector<std::string>{"", " ", "<", "%%", "\xc3\xbc", "|"});
    format += directive(once_in(3) ? Sort::Text : Sort::Number, depth, arguments);
  }
  return "\"" + format + any(std::vector<std::string>{"", ">", "%%"}) + "\"" + arguments;
}

std::string Generator::sprint(int depth) {
  std::string list;
  for (int i = 1 + below(3); i > 0; i--)
    list += (list.empty() ? "" : ", ") + expr(once_in(2) ? Sort::Text : Sort::Number, depth);
  if (once_in(8))
    if (const std::string histogram = drawing(depth); !histogram.empty()) return "sprint(" + histogram + ")";
  switch (below(4)) {
    case 0: return "sprint(" + list + ")";
    case 1: return "sprintln(" + list + ")";
    case 2: return "sprintd(" + text_literal() + ", " + number_leaf() + ", " + list + ")";
    default: return "sprintf(" + format_arguments(depth) + ")";
  }
}

std::string Generator::text(int depth) {
  if (depth <= 0) return text_leaf();
  switch (below(13)) {
    case 11: return matched(depth - 1);
    case 0:
    case 1:
    case 2: {
      const std::string left = text(depth - 1);
      const std::string joined = left + " . " + text(depth - 1);
      return "(" + (once_in(3) ? joined + " . " + text(depth - 1) : joined) + ")";
    }
    case 3:
    case 4: {
      const std::string condition = number(depth - 1), yes = text(depth - 1);
      return "(" + condition + " ? " + yes + " : " + text(depth - 1) + ")";
    }
    case 5:
    case 10: return text_effect(depth);
    case 6: return sprint(depth - 1);
    case 7:
    case 8: return call(Sort::Text, depth);
    case 9: {
      const ArrayShape *array = any_array(false, false);
      return array && array->value == Sort::Text ? element(*array, depth - 1) : text_leaf();
    }
    default:
      return once_in(2) ? text_leaf()
                        : "substr(" + text(depth - 1) + ", " + std::to_string(below(4)) + ", " + number(0) + ")";
  }
}
