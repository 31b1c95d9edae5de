// SPDX-License-Identifier: GPL-2.0-or-later
// Text of emitted C: an indented line buffer, and the spelling of C literals.
#include "emit/code.h"

#include <cctype>

void Code::line(std::string_view text) {
  text_.append(depth, '\t');
  text_ += text;
  text_ += '\n';
}

void Code::vline(fmt::string_view format, fmt::format_args arguments) { line(fmt::vformat(format, arguments)); }

void Code::vopen(fmt::string_view format, fmt::format_args arguments) { open(fmt::vformat(format, arguments)); }

void Code::open(std::string_view head) {
  if (head.empty()) line("{");
  else line("{} {{", head);
  depth++;
}

void Code::close(std::string_view tail) {
  depth--;
  line("}}{}", tail);
}

void Code::label(std::string_view name) {
  text_.append(depth > 0 ? depth - 1 : 0, '\t');
  text_ += fmt::format("{}: __attribute__((unused));\n", name);
}

std::string c_string(std::string_view bytes) {
  std::string out = "\"";
  for (unsigned char ch : bytes) {
    if (ch == '"' || ch == '\\') {
      out += '\\';
      out += ch;
    } else if (ch == '\n') {
      out += "\\n";
    } else if (ch == '\t') {
      out += "\\t";
    } else if (ch < 0x20 || ch >= 0x7f || ch == '?') {
      // Always three octal digits, so that a digit behind them is not taken for one of them. The second of two '?' is
      // written so too: ?? may begin a trigraph.
      const bool is_first_mark = ch == '?' && !out.ends_with('?');
      out += is_first_mark ? "?" : fmt::format("\\{:03o}", ch);
    } else {
      out += ch;
    }
  }
  return out + "\"";
}

std::string c_slice(std::string_view bytes) { return fmt::format("STAP_STR({})", c_string(bytes)); }

std::string c_long(int64_t value) {
  if (value == INT64_MIN) return "(-0x7fffffffffffffffLL - 1)";
  const char *suffix = value > INT32_MAX || value < INT32_MIN ? "LL" : "";
  return value < 0 ? fmt::format("({}{})", value, suffix) : fmt::format("{}{}", value, suffix);
}

std::string c_comment(std::string_view text) {
  std::string out;
  for (unsigned char ch : text) out += (ch < 0x20 || ch == 0x7f) ? ' ' : static_cast<char>(ch);
  while (!out.empty() && (out.back() == ' ' || out.back() == '\\')) out.pop_back();
  return out;
}

// Is `s` an identifier or a number, or a call: one followed by a group in parentheses, and by nothing else?
static bool is_atom(const std::string &s) {
  size_t i = 0;
  while (i < s.size() && (std::isalnum(static_cast<unsigned char>(s[i])) || s[i] == '_')) i++;
  if (i == s.size()) return true;
  if (s[i] != '(') return false;
  int depth = 0;
  bool quoted = false;
  for (; i < s.size(); i++) {
    if (quoted) {
      if (s[i] == '\\') i++;
      else if (s[i] == '"') quoted = false;
    } else if (s[i] == '"') {
      quoted = true;
    } else if (s[i] == '(') {
      depth++;
    } else if (s[i] == ')' && --depth == 0) {
      return i + 1 == s.size();
    }
  }
  return false;
}

std::string c_atom(const std::string &expression) {
  return is_atom(expression) ? expression : fmt::format("({})", expression);
}
