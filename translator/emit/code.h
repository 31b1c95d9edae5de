// SPDX-License-Identifier: GPL-2.0-or-later
// Text of emitted C: an indented line buffer, and the spelling of C literals.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// Lines of C, indented with tabs.
class Code {
 public:
  void line(const std::string &text);
  void blank() { text_ += '\n'; }
  // "if (x)" -> "if (x) {" and one level deeper; close() ends it with "}" + tail.
  void open(const std::string &head);
  void close(const std::string &tail = "");
  // A label stands one level to the left.
  void label(const std::string &name);
  // Text that is already C, line by line at the present depth.
  void append(const Code &inner) { text_ += inner.text_; }

  bool empty() const { return text_.empty(); }
  const std::string &text() const { return text_; }
  int depth = 0;

 private:
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
