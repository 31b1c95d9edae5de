// SPDX-License-Identifier: GPL-2.0-or-later
// Errors and warnings: a stable id, the place, the line with a caret, and hints.
//
//   error[no-such-function]: semantic error: unresolved function 'foo'
//     --> trace.stp:1:7
//     1 | probe begin { foo() }
//       |               ^^^
//     hint: did you mean 'fop'?
#pragma once
#include <cstdio>
#include <fmt/core.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/source.h"

enum class Severity { Error, Warning };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string id;       // "no-such-function": stable, one test each
  std::string message;  // starts with "parse error: " or "semantic error: " where users grep for it
  Place place;
  struct Note {
    std::string text;
    Place place;  // optional: shown with its own line and caret
  };
  std::vector<Note> notes;
  std::vector<std::string> hints;
  unsigned repeated = 0;  // at how many more probe points the same was found

  Diagnostic &note(std::string text, Place where = {}) {
    notes.push_back({std::move(text), where});
    return *this;
  }
  Diagnostic &hint(std::string text) {
    hints.push_back(std::move(text));
    return *this;
  }
  // From a format of libfmt and its arguments.
  template <typename First, typename... Rest>
  Diagnostic &hint(fmt::format_string<First, Rest...> format, First &&first, Rest &&...rest) {
    return hint(fmt::vformat(format, fmt::make_format_args(first, rest...)));
  }
};

// Parameters of the terminal's SGR sequence for each part of a message.
struct Colors {
  std::string error = "01;31", warning = "00;33", source = "00;34", caret = "01", token = "01";
};
// Reads a text such as "error=01;31:caret=01", the form of SYSTEMTAP_COLORS (stap(1)). False when it is empty or not of
// this form; the caller then uses no colours.
bool read_colors(const std::string &text, Colors &colors);

class Diagnostics {
 public:
  // The reference stays valid until flush(); add notes and hints to it.
  Diagnostic &error(std::string id, const Place &place, std::string message);
  Diagnostic &warning(std::string id, const Place &place, std::string message);
  // The same with a message from a format of libfmt and its arguments.
  template <typename First, typename... Rest>
  Diagnostic &error(std::string id, const Place &place, fmt::format_string<First, Rest...> format, First &&first,
                    Rest &&...rest) {
    return error(std::move(id), place, fmt::vformat(format, fmt::make_format_args(first, rest...)));
  }
  template <typename First, typename... Rest>
  Diagnostic &warning(std::string id, const Place &place, fmt::format_string<First, Rest...> format, First &&first,
                      Rest &&...rest) {
    return warning(std::move(id), place, fmt::vformat(format, fmt::make_format_args(first, rest...)));
  }

  // For an error that is found once more, at another probe point: when one with this id and place is waiting to be
  // printed, it is counted there and the result is true.
  bool repeat(const std::string &id, const Place &place);

  int error_count() const { return errors_; }
  // Forgets what was reported since mark(): for attempts that may fail (`?` probe points, @defined).
  size_t mark() const { return pending_.size(); }
  void rollback(size_t mark) {
    for (size_t i = mark; i < pending_.size(); i++) errors_ -= pending_[i]->severity == Severity::Error;
    if (mark < pending_.size()) pending_.resize(mark);
  }
  // Prints what has been collected, in order, each text once. Called at the end of each pass.
  void flush(std::FILE *out = stderr);
  // All that flush() has printed.
  const std::string &printed() const { return printed_text_; }

  // How the script came to the code that is looked at now. Errors reported in library code get it as notes. Null while
  // the script's own code is looked at.
  const Trail *trail = nullptr;

  bool color = false;
  Colors colors;
  bool suppress_warnings = false;    // -w
  bool warnings_are_errors = false;  // -W

 private:
  Diagnostic &add(Severity severity, std::string id, const Place &place, std::string message);
  std::vector<std::unique_ptr<Diagnostic>> pending_;
  std::set<std::string> printed_;
  std::string printed_text_;
  int errors_ = 0;
};

// The part of a trail that leads to a place of the library. It leaves out the steps inside the alias that the place
// belongs to.
Trail led_to(const Place &place, const Trail &trail);

// Sets the trail for a scope.
class TrailScope {
 public:
  TrailScope(Diagnostics &diag, const Trail *trail) : diag_(diag), before_(diag.trail) { diag.trail = trail; }
  ~TrailScope() { diag_.trail = before_; }
  TrailScope(const TrailScope &) = delete;

 private:
  Diagnostics &diag_;
  const Trail *before_;
};

// The candidate nearest to `word` by edit distance, if near enough to be what was meant; else "".
std::string nearest_name(const std::string &word, const std::vector<std::string> &candidates);

// The `count` candidates nearest to `word`, the nearest first.
std::vector<std::string> nearest_names(const std::string &word, std::vector<std::string> candidates, size_t count);

// The hint for a name that users know from SystemTap, but which stap does not have.
inline constexpr const char *only_in_manual =
    "the SystemTap manual documents it, but this version of stap does not have it yet";

// An error nothing in the script can be shown for (a missing tool, a failed compile): ends the run.
struct FatalError {
  std::string id;
  std::string message;
  std::vector<std::string> hints;
};
