// SPDX-License-Identifier: GPL-2.0-or-later
// Splits a printf format into directives and says what is wrong with one that has no meaning.
#include <fmt/core.h>

#include "syntax/format_spec.h"

#include "core/format_parse.h"

namespace {

std::string text_of(const stap_str &s) { return std::string(s.ptr, s.len); }

FormatDirective converted(const stap_directive &from) {
  FormatDirective d;
  d.minus = from.flags & STAP_FORMAT_LEFT;
  d.plus = from.flags & STAP_FORMAT_PLUS;
  d.space = from.flags & STAP_FORMAT_SPACE;
  d.zero = from.flags & STAP_FORMAT_ZERO;
  d.alternate = from.flags & STAP_FORMAT_ALT;
  d.width = from.width;
  d.precision = from.precision;
  d.width_star = from.width_from_arg;
  d.precision_star = from.precision_from_arg;
  d.conversion = from.conversion->letter;
  d.takes_string = from.conversion->kind == STAP_CONVERT_STRING;
  d.reads_memory = from.conversion->kind == STAP_CONVERT_MEMORY;
  d.text = text_of(from.text);
  return d;
}

std::string problem_message(const stap_directive &d) {
  const std::string text = fmt::format("'{}'", text_of(d.text));
  switch (static_cast<stap_format_problem>(d.problem)) {
    case STAP_FORMAT_FINE: break;
    case STAP_FORMAT_CUT_OFF: return text + " is cut off: a conversion such as 'd' or 's' is missing; %% prints one %";
    case STAP_FORMAT_UNKNOWN: return "unknown directive " + text;
    case STAP_FORMAT_TOO_WIDE: return fmt::format("{} has a width or precision above {}", text, STAP_FORMAT_MAX_AMOUNT);
    case STAP_FORMAT_BAD_SIZE: return fmt::format("{} writes 1, 2, 4 or 8 bytes, not {}", text, d.width);
  }
  return "";
}

}  // namespace

bool parse_format(const std::string &format, std::vector<FormatDirective> &directives, FormatProblem &problem) {
  const stap_str text = {format.data(), static_cast<u32>(format.size())};
  stap_directive piece;
  std::string literal;
  for (u32 at = 0, start = 0; stap_format_next(text, &at, &piece); start = at) {
    if (piece.problem) {
      problem = {problem_message(piece), start, piece.text.len};
      return false;
    }
    if (!piece.conversion) {
      literal += text_of(piece.text);
      continue;
    }
    FormatDirective d = converted(piece);
    d.literal.swap(literal);
    d.at = start;
    directives.push_back(std::move(d));
  }
  if (!literal.empty()) directives.emplace_back().literal = literal;
  return true;
}

std::vector<FormatDirective> format_directives(const std::string &format) {
  std::vector<FormatDirective> directives;
  FormatProblem ignored;
  parse_format(format, directives, ignored);
  return directives;
}
