// SPDX-License-Identifier: GPL-2.0-or-later
// Splits a printf format into directives and says what is wrong with one that has no meaning.
#include "syntax/format_spec.h"

#include <cctype>
#include <cstring>

namespace {

// A width or precision: digits or `*`. False when the number is absurdly large.
bool parse_count(const std::string &f, size_t &at, int64_t &value, bool &star) {
  if (at < f.size() && f[at] == '*') {
    star = true;
    at++;
    return true;
  }
  while (at < f.size() && isdigit((unsigned char)f[at])) {
    value = (value < 0 ? 0 : value) * 10 + (f[at++] - '0');
    if (value > 1000000) return false;
  }
  return true;
}

bool set_flag(FormatDirective &d, char c) {
  switch (c) {
    case '-': d.minus = true; return true;
    case '+': d.plus = true; return true;
    case ' ': d.space = true; return true;
    case '0': d.zero = true; return true;
    case '#': d.alternate = true; return true;
    default: return false;
  }
}

// Length modifiers of C mean nothing here, where every number has 64 bits; they are read over.
void skip_length(const std::string &f, size_t &at) {
  while (at < f.size() && strchr("hlLqjzt", f[at])) at++;
}

bool check(const FormatDirective &d, FormatProblem &problem) {
  if (d.conversion != 'b') return true;
  bool fits = d.width_star || d.width == -1 || d.width == 1 || d.width == 2 || d.width == 4 || d.width == 8;
  if (!fits)
    problem = {"'" + d.text + "' writes 1, 2, 4 or 8 bytes, not " + std::to_string(d.width), d.at, d.text.size()};
  return fits;
}

}  // namespace

bool parse_format(const std::string &format, std::vector<FormatDirective> &directives, FormatProblem &problem) {
  FormatDirective d;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      d.literal += format[at++];
      continue;
    }
    size_t start = at++;
    if (at < format.size() && format[at] == '%') {
      d.literal += '%';
      at++;
      continue;
    }
    while (at < format.size() && set_flag(d, format[at])) at++;
    bool fits = parse_count(format, at, d.width, d.width_star);
    if (fits && at < format.size() && format[at] == '.') {
      at++;
      d.precision = 0;
      fits = parse_count(format, at, d.precision, d.precision_star);
    }
    skip_length(format, at);
    if (!fits) {
      problem = {"'" + format.substr(start, at - start) + "' has a width or precision above 1000000", start,
                 at - start};
      return false;
    }
    if (at >= format.size() || !format[at] || !strchr("bcdimMopsuxX", format[at])) {
      // A byte that can't be shown, as a newline after the %, is no part of what the user took for a directive.
      const bool cut_off = at >= format.size() || !isgraph((unsigned char)format[at]);
      const std::string text = format.substr(start, at + !cut_off - start);
      problem = {cut_off ? "'" + text + "' is cut off: a conversion such as 'd' or 's' is missing; %% prints one %"
                         : "unknown directive '" + text + "'",
                 start, text.size()};
      return false;
    }
    d.conversion = format[at++];
    d.text = format.substr(start, at - start);
    d.at = start;
    if (!check(d, problem)) return false;
    directives.push_back(std::move(d));
    d = FormatDirective();
  }
  if (!d.literal.empty()) directives.push_back(std::move(d));
  return true;
}
