// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of a source text, and how a place is written.
#include "source.h"

std::string_view SourceFile::line(uint32_t number) const {
  if (number == 0) return {};
  size_t start = 0;
  for (uint32_t i = 1; i < number; i++) {
    start = text.find('\n', start);
    if (start == std::string::npos) return {};
    start++;
  }
  size_t end = text.find('\n', start);
  if (end == std::string::npos) end = text.size();
  return std::string_view(text).substr(start, end - start);
}

std::string to_string(const Place &place) {
  if (!place.file) return "<no place>";
  return place.file->name + ":" + std::to_string(place.line) + ":" + std::to_string(place.col);
}
