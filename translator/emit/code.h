// SPDX-License-Identifier: GPL-2.0-or-later
// Text of emitted C: an indented line buffer, and the spelling of C literals.
#pragma once
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

// Lines of C, indented with tabs. A line is a text that is added as it stands, or a format of libfmt with its
// arguments; in a format C's own braces are written twice.
class Code {
 public:
  void line(std::string_view text);
  template <typename First, typename... Rest>
  void line(fmt::format_string<First, Rest...> format, First &&first, Rest &&...rest) {
    vline(format, fmt::make_format_args(first, rest...));
  }
  void blank() { text_ += '\n'; }
  // open("if (x)") adds "if (x) {", and what follows stands one level deeper, until close() adds "}" and the tail.
  void open(std::string_view head);
  template <typename First, typename... Rest>
  void open(fmt::format_string<First, Rest...> format, First &&first, Rest &&...rest) {
    vopen(format, fmt::make_format_args(first, rest...));
  }
  void close(std::string_view tail = "");
  // A label stands one level to the left.
  void label(std::string_view name);
  // Text that is already C, line by line at the present depth.
  void append(const Code &inner) { text_ += inner.text_; }

  bool empty() const { return text_.empty(); }
  const std::string &text() const { return text_; }
  int depth = 0;

 private:
  // The work of line() and open(), apart from the templates, which are compiled anew for each list of types.
  void vline(fmt::string_view format, fmt::format_args arguments);
  void vopen(fmt::string_view format, fmt::format_args arguments);

  std::string text_;
};

// A C string literal, quotes included; safe for any bytes.
std::string c_string(std::string_view bytes);
// STAP_STR("...")
std::string c_slice(std::string_view bytes);
// A literal of the script's 64-bit integer.
std::string c_long(int64_t value);
// Text made safe for a // comment.
std::string c_comment(std::string_view text);
// The expression in parentheses, unless it is an identifier, a number or a call.
std::string c_atom(const std::string &expression);
