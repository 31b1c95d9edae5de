// SPDX-License-Identifier: GPL-2.0-or-later
// Texts and objects of JSON (RFC 8259).
#include "base/json.h"

#include <algorithm>
#include <fmt/core.h>

namespace {

// How many bytes the character at text[at] takes in UTF-8; 0 when it is not valid (RFC 3629: no longer form than
// needed, no surrogate, nothing above U+10FFFF).
size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first < 0xf0 || first > 0xf4 || (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
  return follows(1) && follows(2) && follows(3) ? 4 : 0;
}

}  // namespace

std::string json_string(std::string_view text) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
  std::string json = "\"";
  for (size_t at = 0; at < text.size();) {
    const size_t plain = std::find_if_not(text.begin() + at, text.end(), is_plain) - text.begin() - at;
    json += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    const size_t length = utf8_length(text, at);
    const char c = text[at];
    if (!length) json += "\\ufffd";
    else if (c == '"' || c == '\\') (json += '\\') += c;
    else if (length == 1 && c < 0x20) json += fmt::format("\\u{:04x}", int(c));
    else json += text.substr(at, length);
    at += length ? length : 1;
  }
  return json + '"';
}

JsonObject &JsonObject::add_value(std::string_view name, std::string_view json) {
  if (!members_.empty()) members_ += ',';
  ((members_ += json_string(name)) += ':') += json;
  return *this;
}
