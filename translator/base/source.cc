// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of a source text, and how a place is written.
#include "base/source.h"

#include <cctype>
#include <fmt/core.h>

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

namespace {

// Reads a string literal in the source once more, to find the places of the bytes of its value.
class LiteralReader {
 public:
  explicit LiteralReader(const Place &literal) : place_(literal), text_(literal.file->text) {
    for (uint32_t line = 1; line < place_.line && at_ != std::string::npos; line++) {
      at_ = text_.find('\n', at_);
      if (at_ != std::string::npos) at_++;
    }
    if (at_ != std::string::npos) at_ += place_.col - 1;
    good_ = at_ < text_.size() && text_[at_] == '"';
    if (good_) step();
  }
  bool good() const { return good_ && at_ < text_.size(); }
  const Place &place() const { return place_; }

  // Moves behind the byte of the value that stands here.
  void next() {
    if (text_[at_] == '\\') escape();
    else step();
  }
  // Moves on to where the next byte of the value stands: over a backslash at the end of a line, which is no part of the
  // value, and from a closing quote into a literal that follows it.
  void settle() {
    for (;;) {
      if (text_.compare(at_, 2, "\\\n") == 0) {
        step(), step();
      } else if (good() && text_[at_] == '"') {
        step();
        while (good() && isspace(static_cast<unsigned char>(text_[at_]))) step();
        good_ = good() && text_[at_] == '"';
        if (!good_) return;
        step();
      } else {
        return;
      }
    }
  }

 private:
  void step() {
    if (text_[at_++] == '\n') place_.line++, place_.col = 1;
    else place_.col++;
  }
  void escape() {
    step();
    if (!good()) return;
    const bool hex = text_[at_] == 'x', octal = text_[at_] >= '0' && text_[at_] <= '7';
    step();
    for (int digits = hex ? 2 : octal ? 2 : 0; digits > 0 && good(); digits--) {
      const unsigned char c = text_[at_];
      if (hex ? !isxdigit(c) : c < '0' || c > '7') break;
      step();
    }
  }

  Place place_;
  const std::string &text_;
  size_t at_ = 0;
  bool good_ = false;
};

}  // namespace

Place place_in_string(const Place &literal, size_t at, size_t length) {
  if (!literal.file) return literal;
  LiteralReader reader(literal);
  for (reader.settle(); at > 0 && reader.good(); at--) {
    reader.next();
    reader.settle();
  }
  if (!reader.good()) return literal;
  Place place = reader.place();
  for (; length > 0 && reader.good() && reader.place().line == place.line; length--) {
    place.length = reader.place().col - place.col + 1;
    reader.next();
    reader.settle();
  }
  return place;
}

const Place &written_at(const Place &place) {
  const Place *p = &place;
  while (p->expanded_from) p = p->expanded_from;
  return *p;
}

std::string to_string(const Place &place) {
  if (!place.file) return "<no place>";
  return fmt::format("{}:{}:{}", place.file->name, place.line, place.col);
}
