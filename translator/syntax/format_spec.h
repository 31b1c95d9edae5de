// SPDX-License-Identifier: GPL-2.0-or-later
// The directives of a printf format, as the runtime's own parser (core/format_parse.c) finds them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

// "%-08.*x" is {flags: minus|zero, width 8, precision from an argument, conversion 'x'}.
struct FormatDirective {
  std::string literal;  // the text before the directive, with % for %%
  bool minus = false, plus = false, space = false, zero = false, alternate = false;
  int64_t width = -1, precision = -1;  // -1: none
  bool width_star = false, precision_star = false;
  char conversion = 0;        // the letter; 0 when only `literal` is left, at the end of the format
  bool takes_string = false;  // its argument is a string, otherwise a number
  bool reads_memory = false;  // its argument is the address of what is printed
  std::string text;           // as written
  size_t at = 0;              // where it stands in the format

  int argument_count() const { return (conversion != 0) + width_star + precision_star; }
};

// What is wrong with a format, and which bytes of it are wrong.
struct FormatProblem {
  std::string message;
  size_t at = 0, length = 0;
};

// Splits a format; false with what is wrong in `problem`.
bool parse_format(const std::string &format, std::vector<FormatDirective> &directives, FormatProblem &problem);

// The same for a format that has been checked.
std::vector<FormatDirective> format_directives(const std::string &format);
