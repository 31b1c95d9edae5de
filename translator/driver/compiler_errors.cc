// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a C compiler's messages. #line makes them name the script's lines (emit/embedded.cc); what only names the
// emitted file but comes out of a macro that the script uses is followed by a note with the script's place.
#include "driver/compiler_errors.h"

#include <cctype>
#include <fmt/core.h>
#include <sstream>

#include "abi/stack.h"
#include "base/session.h"
#include "build/stack_usage.h"
#include "sema/match.h"
#include "syntax/ast.h"

namespace {

struct Message {
  std::string file, kind, text;
  uint32_t line = 0, col = 0;
};

// "trace.stp:3:7: error: text"; false for other lines.
bool read_message(const std::string &line, Message &m) {
  size_t kind = std::string::npos;
  for (const char *word : {": error: ", ": fatal error: ", ": note: "})
    if (size_t at = line.find(word); at < kind)
      kind = at, m.kind = std::string(word).substr(2, std::string(word).size() - 4);
  if (kind == std::string::npos) return false;
  m.text = line.substr(line.find(": ", kind + 2) + 2);
  std::string place = line.substr(0, kind);
  uint32_t numbers[2] = {0, 0};
  int count = 0;
  while (count < 2) {
    const size_t colon = place.rfind(':');
    if (colon == std::string::npos || colon + 1 == place.size() ||
        place.find_first_not_of("0123456789", colon + 1) != std::string::npos)
      break;
    numbers[count++] = static_cast<uint32_t>(std::stoul(place.substr(colon + 1)));
    place.resize(colon);
  }
  m.file = place;
  m.line = count == 2 ? numbers[1] : numbers[0];
  m.col = count == 2 ? numbers[0] : 1;
  return count > 0;
}

// With what it names underlined: a word, a string or one character.
Place place_of(const SourceFile *source, uint32_t line, uint32_t col) {
  Place place{source, line, col ? col : 1, 1, nullptr};
  const std::string_view text = source->line(line);
  size_t end = place.col - 1;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) end++;
  if (end > place.col) place.length = static_cast<uint32_t>(end - place.col + 1);
  return place;
}

class Reader {
 public:
  explicit Reader(Session &s) : s_(s) {
    for (const auto *files : {&s.user_files, &s.used_library_files})
      for (const ScriptFile *file : *files)
        if (file->source) sources_.push_back(file->source);
  }

  int read(const std::string &output) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
      Message m;
      if (read_message(line, m)) take(m);
      else if (line.find("undefined") != std::string::npos) undefined_symbol(line);
    }
    return reported_;
  }

 private:
  const SourceFile *source_named(const std::string &name) const {
    for (const SourceFile *source : sources_)
      if (source->name == name) return source;
    return nullptr;
  }

  void take(const Message &m) {
    const SourceFile *source = source_named(m.file);
    if (m.kind != "note") {
      last_ = nullptr;
      elsewhere_ = source ? "" : m.text;
      if (source) report(m.text, place_of(source, m.line, m.col));
    } else if (source && !elsewhere_.empty() && m.text.compare(0, 21, "in expansion of macro") == 0) {
      report(elsewhere_, place_of(source, m.line, m.col));
      elsewhere_.clear();
    } else if (source && last_ && m.text.compare(0, 4, "each") != 0) {
      last_->note(m.text, place_of(source, m.line, m.col));
    }
  }

  void report(const std::string &text, const Place &place) {
    last_ = &s_.diag.error("embedded-c", place, "semantic error: embedded C: " + text);
    reported_++;
  }

  // A linker's or modpost's `foo' or "foo": there is no place, but the script's text has the name.
  void undefined_symbol(const std::string &line) {
    const size_t quote = line.find_first_of("`'\"");
    const size_t end = quote == std::string::npos ? quote : line.find_first_of("'\"", quote + 1);
    if (end == std::string::npos) return;
    const std::string name = line.substr(quote + 1, end - quote - 1);
    for (const SourceFile *source : sources_) {
      const size_t at = source->text.find(name);
      if (at == std::string::npos || name.empty()) continue;
      Place place{source, 1, 1, static_cast<uint32_t>(name.size()), nullptr};
      for (size_t i = 0; i < at; i++) {
        place.col++;
        if (source->text[i] == '\n') place.line++, place.col = 1;
      }
      return report(fmt::format("'{}' is not there where the script runs", name), place);
    }
  }

  Session &s_;
  std::vector<const SourceFile *> sources_;
  Diagnostic *last_ = nullptr;
  std::string elsewhere_;  // an error in the emitted file, until a note says which macro of the script it comes from
  int reported_ = 0;
};

}  // namespace

int report_compiler_errors(Session &s, const std::string &output) { return Reader(s).read(output); }

void report_large_frame(Session &s, const FrameTooLarge &frame) {
  std::string what = "'" + frame.function + "'";
  Place place;
  for (const FunctionDecl *f : s.program.functions)
    if (f->unique_name == frame.function) what = "function '" + f->name + "'", place = f->place;
  for (const DerivedProbe *probe : s.program.probes)
    if (const std::string index = std::to_string(probe->index);
        frame.function == "probe_" + index || frame.function == "entry_" + index)
      what = "the probe's handler", place = probe->place;
  const std::string limit = std::to_string(STAP_FRAME_MAX);
  s.diag
      .error(
          "frame-too-large", place,
          "semantic error: " + what +
              (frame.bytes ? " needs " + std::to_string(frame.bytes) + " bytes of the stack; " + limit + " are allowed"
                           : " has an array without a bound on the stack; " + limit + " bytes are allowed"))
      .hint("have fewer local variables, split it into functions, or keep arrays of embedded C off the stack");
}

bool has_own_embedded_c(const Session &s) {
  for (const ScriptFile *file : s.user_files)
    if (file->source && file->source->text.find("%{") != std::string::npos) return true;
  return false;
}
