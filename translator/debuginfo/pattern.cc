// SPDX-License-Identifier: GPL-2.0-or-later
// The pattern of .function(): func[@file[:line|:first-last|+offset|:*]].
#include <charconv>
#include <fmt/core.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"

namespace {

bool parse_line(std::string_view text, int &line) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  return error == std::errc() && end == text.data() + text.size() && line >= 0;
}

// "450", "450-460" or "*"; the text after ':' or '+'.
bool parse_lines(std::string_view text, FunctionPattern &pattern) {
  if (text == "*") {
    pattern.line_kind = FunctionPattern::Line::Any;
    return true;
  }
  size_t dash = text.find('-');
  if (!parse_line(text.substr(0, dash), pattern.line)) return false;
  pattern.last_line = pattern.line;
  return dash == text.npos || parse_line(text.substr(dash + 1), pattern.last_line);
}

}  // namespace

bool FunctionPattern::matches_file(const std::string &path) const {
  return file.empty() || wildcard_match(file, path) || wildcard_match("*/" + file, path);
}

bool FunctionPattern::holds_line(int declared, const std::function<int()> &end) const {
  if (line_kind == Line::None || line_kind == Line::Any) return true;
  int base = line_kind == Line::Relative ? declared : 0, first = base + line, last = base + last_line;
  return declared <= last && (declared >= first || end() >= first);
}

// "vfs_read@fs/read_write.c:450"
Result<FunctionPattern> parse_function_pattern(const std::string &text) {
  FunctionPattern pattern;
  size_t at = text.find('@');
  pattern.function = text.substr(0, at);
  if (pattern.function.empty()) return Failure{fmt::format("a function name is missing in \"{}\"", text)};
  if (at == text.npos) return pattern;
  std::string rest = text.substr(at + 1);
  size_t mark = rest.find_last_of(":+");
  // A '+' may belong to the file's name ("c++/x.c"): a line follows the last one.
  if (mark != rest.npos && rest.find('/', mark) == rest.npos) {
    pattern.line_kind = rest[mark] == '+' ? FunctionPattern::Line::Relative : FunctionPattern::Line::Absolute;
    if (!parse_lines(std::string_view(rest).substr(mark + 1), pattern))
      return Failure{fmt::format("\"{}\" is no line number, range or \"*\"", rest.substr(mark + 1))};
    rest.resize(mark);
  }
  pattern.file = rest;
  if (rest.empty()) return Failure{fmt::format("a file name is missing after '@' in \"{}\"", text)};
  return pattern;
}
