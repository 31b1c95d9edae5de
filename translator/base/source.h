// SPDX-License-Identifier: GPL-2.0-or-later
// Source texts and places in them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// One text the translator reads: a file, a -e script, a tapset file, or the
// expansion of a macro (which has a parent place).
struct SourceFile {
  std::string name;  // as errors show it: "trace.stp", "<input>" for -e
  std::string text;
  bool is_tapset = false;
  bool privileged = false;  // may hold embedded C without -g: the installed tapset library

  // The text of line `line` (1-based) without its newline; empty when there is none.
  std::string_view line(uint32_t line) const;
};

// A place in a source; `length` bytes are underlined. `line` and `col` are 1-based.
struct Place {
  const SourceFile *file = nullptr;
  uint32_t line = 0;
  uint32_t col = 0;
  uint32_t length = 1;
  // Where the macro was used, when the text came out of one.
  const Place *expanded_from = nullptr;

  explicit operator bool() const { return file != nullptr; }
};

// The place of bytes [at, at + length) of a string's value, by its literal in the source: escapes and adjacent literals
// are read again. The literal itself when the source has no such bytes there.
Place place_in_string(const Place &literal, size_t at, size_t length);

// Where text that came out of macros was written: the outermost use.
const Place &written_at(const Place &place);

// One step of how the script came to use a piece of the library.
struct TrailStep {
  const char *how;  // "called from here"
  Place place;
  Place inside;  // the start of the library alias that the step's place belongs to, when it is a probe point of one
};
using Trail = std::vector<TrailStep>;  // innermost first; the last is in the script

// "trace.stp:3:7"
std::string to_string(const Place &place);
