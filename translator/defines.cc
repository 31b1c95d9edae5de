// SPDX-License-Identifier: GPL-2.0-or-later
// What -D can set. Other names go to the compiler as they are, for embedded C; a misspelled limit would be lost there.
#include "defines.h"

#include <algorithm>
#include <cctype>

#include "session.h"

namespace {

// As documented in stap(1), "SAFETY AND SECURITY"; Session::limit and the emitter read them.
struct Limit {
  const char *name;
  int64_t low, high;  // what makes sense of it; both 0: a switch, whatever its value is
};
constexpr int64_t any = INT32_MAX;
const std::vector<Limit> limits = {
    {"HIST_ELISION", -1, any},           // -1: empty buckets are all drawn
    {"HIST_WIDTH", 1, 1000},             // characters; a row is made on the stack
    {"KRETACTIVE", 1, 65536},
    {"MAXACTION", 1, any},
    {"MAXACTION_INTERRUPTIBLE", 1, any},
    {"MAXBACKTRACE", 1, 128},            // frames; MAX_FRAMES of runtime/kernel/symbols.c
    {"MAXERRORS", -1, any},               // -1: never
    {"MAXMAPENTRIES", 1, any},
    {"MAXNESTING", 1, any},
    {"MAXSKIPPED", -1, any},
    {"MAXSTRINGLEN", 2, 65536},          // with the NUL byte
    {"MAXTRYLOCK", 0, 1000000},
    {"MINSTACKSPACE", 0, any},           // bytes
    {"STAP_SUPPRESS_HANDLER_ERRORS", 0, 0},
    {"STP_ALIBI", 0, 0},
    {"STP_NO_BUILDID_CHECK", 0, 0},
    {"STP_NO_OVERLOAD", 0, 0},
    {"STP_OVERLOAD_INTERVAL", 1, INT64_MAX},
    {"STP_OVERLOAD_THRESHOLD", 0, INT64_MAX},
    {"STP_TIMING", 0, 0},
    {"TRYLOCKDELAY", 0, 1000000},        // microseconds
};

std::vector<std::string> limit_names() {
  std::vector<std::string> names;
  for (const Limit &limit : limits) names.push_back(limit.name);
  return names;
}

// Documented, and without effect here.
const std::vector<std::string> documented = {
    "DEBUG_MEM", "MAXUPROBES", "STP_EXECTRACE", "STP_INTERRUPTIBLE", "STP_LEGACY_PRINT",
    "STP_MAXMEMORY", "STP_OVERLOAD", "STP_PROCFS_BUFSIZE", "STP_SKIP_BADVARS"};

bool has(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Does the name stand in the text as a word?
bool mentions(const std::string &text, const std::string &name) {
  auto in_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
  }
  return false;
}

// Looks at whole files: those with embedded C are few, and a name in a comment is no misspelling either.
bool embedded_c_mentions(const Session &s, const std::string &name) {
  auto in_file = [&](const ScriptFile *file) {
    return file->source && file->source->text.find("%{") != std::string::npos && mentions(file->source->text, name);
  };
  return std::any_of(s.user_files.begin(), s.user_files.end(), in_file) ||
         std::any_of(s.used_library_files.begin(), s.used_library_files.end(), in_file);
}

}  // namespace

void check_limit(const std::string &name, int64_t value) {
  for (const Limit &limit : limits)
    if (name == limit.name && (value < limit.low || value > limit.high) && limit.low < limit.high)
      throw FatalError{"bad-limit", "-D" + name + "=" + std::to_string(value) + " is out of range",
                       {name + " takes a number from " + std::to_string(limit.low) + " to " + std::to_string(limit.high)}};
}

void warn_unknown_defines(Session &s) {
  const std::vector<std::string> known = limit_names();
  for (const auto &[name, value] : s.options.defines) {
    if (has(known, name) || embedded_c_mentions(s, name)) continue;
    if (has(documented, name)) {
      s.diag.warning("unknown-limit", {}, "-D" + name + " is documented, but has no effect in this version of stap");
      continue;
    }
    const std::string near = nearest_name(name, known);
    s.diag.warning("unknown-limit", {}, "-D" + name + " is no limit of the language, and no embedded C of the script mentions it")
        .hint(near.empty() ? "" : "did you mean '" + near + "'?");
  }
}
