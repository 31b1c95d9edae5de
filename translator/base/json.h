// SPDX-License-Identifier: GPL-2.0-or-later
// Texts and objects of JSON (RFC 8259).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// The text as a JSON string, with its quotes. A byte that is not part of valid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

// An object, member by member in the order of the calls.
class JsonObject {
 public:
  JsonObject &add(std::string_view name, std::string_view text) { return add_value(name, json_string(text)); }
  JsonObject &add(std::string_view name, int64_t number) { return add_value(name, std::to_string(number)); }
  // `json` is a value in JSON: an array, an object, true.
  JsonObject &add_value(std::string_view name, std::string_view json);
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};
