// SPDX-License-Identifier: GPL-2.0-or-later
// How errors and warnings look, and near names for their hints.
#include "base/diag.h"

#include <algorithm>
#include <fmt/core.h>

namespace {

constexpr size_t max_shown = 50;  // errors and warnings: a binary file handed in by mistake has thousands

// The colours in which parts of a message are printed, or null for plain text.
using Paint = const Colors *;

std::string painted(Paint paint, std::string Colors::*part, const std::string &text) {
  return paint && !text.empty() ? fmt::format("\033[{}m{}\033[m", paint->*part, text) : text;
}

// The text with a `?` for each byte that could disturb a terminal.
std::string printable(std::string_view text) {
  std::string out;
  for (unsigned char c : text) out += c == '\t' || (c >= 0x20 && c != 0x7f) ? static_cast<char>(c) : '?';
  return out;
}

// Blanks as wide as the text's first `bytes` bytes (tabs stay, a UTF-8 sequence is one column).
std::string blank_like(std::string_view text, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; i++) {
    const unsigned char c = i < text.size() ? text[i] : ' ';
    if (c == '\t') out += '\t';
    else if ((c & 0xc0) != 0x80) out += ' ';
  }
  return out;
}

size_t columns(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; });
}

// The place, its line, and the caret under it. A very long line is shown around the place only.
std::string excerpt(const Place &place, Paint paint) {
  constexpr size_t before = 80, shown = 200;
  std::string out = "  --> " + painted(paint, &Colors::source, to_string(place)) + "\n";
  std::string_view line = place.file->line(place.line);
  size_t start = place.col ? place.col - 1 : 0;
  if (start > line.size()) start = line.size();
  size_t length = std::max<size_t>(1, std::min<size_t>(place.length, line.size() - start));
  if (line.size() > shown && start > before) {
    line.remove_prefix(start - before);
    start = before;
  }
  line = line.substr(0, std::max(shown, start));
  length = std::max<size_t>(1, std::min(length, line.size() - start));
  const std::string number = std::to_string(place.line);
  out += fmt::format("  {} | {}{}{}\n", number, printable(line.substr(0, start)),
                     painted(paint, &Colors::token, printable(line.substr(start, length))),
                     printable(line.substr(std::min(start + length, line.size()))));
  out += "  " + std::string(number.size(), ' ') + " | " + blank_like(line, start);
  out +=
      painted(paint, &Colors::caret, std::string(std::max<size_t>(1, columns(line.substr(start, length))), '^')) + "\n";
  return out;
}

std::string excerpts(const Place &place, Paint paint) {
  std::string out = excerpt(place, paint);
  constexpr size_t most = 6, kept = 2;  // of the uses of nested macros the innermost and the outermost ones are shown
  std::vector<const Place *> uses;
  for (const Place *p = place.expanded_from; p; p = p->expanded_from)
    if (p->file) uses.push_back(p);
  for (size_t i = 0; i < uses.size(); i++) {
    if (uses.size() > most && i == kept) {
      out += fmt::format("  used in {} more macros\n", uses.size() - 2 * kept);
      i = uses.size() - kept;
    }
    out += "  used here:\n" + excerpt(*uses[i], paint);
  }
  return out;
}

std::string render(const Diagnostic &d, bool as_error, Paint paint) {
  const bool error = as_error || d.severity == Severity::Error;
  std::string out = error ? painted(paint, &Colors::error, fmt::format("error[{}]", d.id))
                          : painted(paint, &Colors::warning, "WARNING");
  out += ": " + d.message + (error ? "\n" : " [" + d.id + "]\n");
  if (d.place) out += excerpts(d.place, paint);
  for (const Diagnostic::Note &n : d.notes) {
    out += fmt::format("  note: {}\n", n.text);
    if (n.place) out += excerpt(n.place, paint);
  }
  if (d.repeated)
    out += fmt::format("  note: the same at {} more probe point{}\n", d.repeated, d.repeated > 1 ? "s" : "");
  for (const std::string &h : d.hints)
    if (!h.empty()) out += fmt::format("  hint: {}\n", h);
  return out;
}

// Adds to a diagnostic in the library the calls and probe points through which the script came there.
void add_trail(Diagnostic &d, const Trail &trail) {
  if (!written_at(d.place).file->is_tapset) return;
  for (const TrailStep &step : led_to(d.place, trail)) {
    d.note(step.how, step.place);
    if (!written_at(step.place).file->is_tapset) break;
  }
}

}  // namespace

bool read_colors(const std::string &text, Colors &colors) {
  const std::pair<const char *, std::string Colors::*> keys[] = {{"error", &Colors::error},
                                                                 {"warning", &Colors::warning},
                                                                 {"source", &Colors::source},
                                                                 {"caret", &Colors::caret},
                                                                 {"token", &Colors::token}};
  if (text.empty()) return false;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(':', at), text.size());
    const std::string pair = text.substr(at, end - at), name = pair.substr(0, pair.find('='));
    const std::string value = name.size() < pair.size() ? pair.substr(name.size() + 1) : "";
    if (value.empty() || value.find_first_not_of("0123456789;") != std::string::npos) return false;
    auto key = std::find_if(std::begin(keys), std::end(keys), [&](const auto &k) { return name == k.first; });
    if (key == std::end(keys)) return false;
    colors.*key->second = value;
    at = end + 1;
  }
  return true;
}

Diagnostic &Diagnostics::add(Severity severity, std::string id, const Place &place, std::string message) {
  pending_.push_back(std::make_unique<Diagnostic>());
  Diagnostic &d = *pending_.back();
  d.severity = severity;
  d.id = std::move(id);
  d.place = place;
  d.message = std::move(message);
  if (trail && place) add_trail(d, *trail);
  return d;
}

Diagnostic &Diagnostics::error(std::string id, const Place &place, std::string message) {
  errors_++;
  return add(Severity::Error, std::move(id), place, std::move(message));
}

bool Diagnostics::repeat(const std::string &id, const Place &place) {
  for (const auto &d : pending_) {
    const Place &known = d->place;
    if (d->id != id || known.file != place.file || known.line != place.line || known.col != place.col ||
        known.expanded_from != place.expanded_from)
      continue;
    d->repeated++;
    errors_++;
    return true;
  }
  return false;
}

Diagnostic &Diagnostics::warning(std::string id, const Place &place, std::string message) {
  if (warnings_are_errors && !suppress_warnings) errors_++;
  return add(Severity::Warning, std::move(id), place, std::move(message));
}

void Diagnostics::flush(std::FILE *out) {
  for (const auto &d : pending_) {
    if (printed_.size() > max_shown) break;  // the reader has been told that there are more
    if (d->severity == Severity::Warning && suppress_warnings) continue;
    const std::string text =
        render(*d, d->severity == Severity::Warning && warnings_are_errors, color ? &colors : nullptr);
    if (!printed_.insert(text).second) continue;
    const std::string shown = printed_.size() <= max_shown ? text : "More errors and warnings are not shown.\n";
    std::fputs(shown.c_str(), out);
    printed_text_ += shown;
  }
  pending_.clear();
  std::fflush(out);
}

Trail led_to(const Place &place, const Trail &trail) {
  const Place &at = written_at(place);
  size_t first = 0;
  uint32_t nearest = 0;
  for (size_t i = 0; i < trail.size(); i++) {
    const Place &inside = trail[i].inside;
    if (inside.file != at.file || inside.line > at.line || inside.line < nearest) continue;
    nearest = inside.line;
    first = i + 1;
  }
  return Trail(trail.begin() + static_cast<long>(first), trail.end());
}

// Damerau-Levenshtein distance (adjacent letters swapped count once), optimal string alignment form.
static size_t edit_distance(const std::string &a, const std::string &b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) last[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

// A third of the word may differ, or one letter of a very short one; but never all letters of the candidate.
std::string nearest_name(const std::string &word, const std::vector<std::string> &candidates) {
  const size_t limit = std::max<size_t>(1, word.size() / 3);
  std::string best;
  size_t best_distance = limit + 1;
  for (const std::string &c : candidates) {
    if (c == word || c.size() > word.size() + limit || word.size() > c.size() + limit) continue;
    const size_t distance = edit_distance(word, c);
    if (distance < best_distance && distance < c.size()) {
      best = c;
      best_distance = distance;
    }
  }
  return best;
}

std::vector<std::string> nearest_names(const std::string &word, std::vector<std::string> candidates, size_t count) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (std::string &c : candidates) {
    // A name that holds the word, or begins like it, is nearer than its length tells.
    const bool related = c.find(word) != std::string::npos || c.compare(0, 3, word, 0, 3) == 0;
    const size_t distance = edit_distance(word, c);
    ranked.emplace_back(related ? distance / 2 : distance, std::move(c));
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (size_t i = 0; i < ranked.size() && i < count; i++) names.push_back(std::move(ranked[i].second));
  return names;
}
