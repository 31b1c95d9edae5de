// SPDX-License-Identifier: GPL-2.0-or-later
// The pattern of .function() and .statement(): func[@file[:LINES|+LINES|:*]], where LINES is "10", "10-15" or a list of
// such, "10,12-15".
#include <algorithm>
#include <charconv>
#include <fmt/core.h>

#include "base/glob.h"
#include "debuginfo/debuginfo.h"

namespace {

bool parse_line(std::string_view text, int &line) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  return error == std::errc() && end == text.data() + text.size() && line >= 0;
}

// "450,460-470" or "*"; the text after ':' or '+'.
bool parse_lines(std::string_view text, FunctionPattern &pattern) {
  if (text == "*") {
    pattern.line_kind = FunctionPattern::Line::Any;
    return true;
  }
  for (size_t comma; !text.empty(); text.remove_prefix(comma)) {
    comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    const size_t dash = item.find('-');
    LineRange range;
    if (!parse_line(item.substr(0, dash), range.first)) return false;
    range.last = range.first;
    if (dash != item.npos && !parse_line(item.substr(dash + 1), range.last)) return false;
    if (range.last < range.first) return false;
    pattern.lines.push_back(range);
    if (comma < text.size() && ++comma == text.size()) return false;  // a comma is followed by something
  }
  return !pattern.lines.empty();
}

}  // namespace

bool FunctionPattern::matches_file(const std::string &path) const {
  return file.empty() || wildcard_match(file, path) || wildcard_match("*/" + file, path);
}

bool FunctionPattern::holds_line(int declared, const std::function<int()> &end) const {
  if (line_kind == Line::None || line_kind == Line::Any) return true;
  const int base = line_kind == Line::Relative ? declared : 0;
  return std::any_of(lines.begin(), lines.end(), [&](const LineRange &range) {
    const int first = base + range.first, last = base + range.last;
    return declared <= last && (declared >= first || end() >= first);
  });
}

bool FunctionPattern::wants_line(int declared, int line) const {
  if (line_kind == Line::None || line_kind == Line::Any) return true;
  const int relative = line_kind == Line::Relative ? line - declared : line;
  return std::any_of(lines.begin(), lines.end(),
                     [&](const LineRange &range) { return relative >= range.first && relative <= range.last; });
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
      return Failure{fmt::format("\"{}\" is no line number, range, list of them or \"*\"", rest.substr(mark + 1))};
    rest.resize(mark);
  }
  pattern.file = rest;
  if (rest.empty()) return Failure{fmt::format("a file name is missing after '@' in \"{}\"", text)};
  return pattern;
}
