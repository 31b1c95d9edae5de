// SPDX-License-Identifier: GPL-2.0-or-later
// Warnings for -D names that nothing takes: neither the language nor embedded C of the script.
#include <algorithm>
#include <cctype>
#include <fmt/core.h>

#include "base/limits.h"
#include "driver/driver.h"
#include "syntax/ast.h"

namespace {

// Documented, and without effect here.
const std::vector<std::string> documented = {"DEBUG_MEM",         "MAXUPROBES",         "STP_EXECTRACE",
                                             "STP_INTERRUPTIBLE", "STP_LEGACY_PRINT",   "STP_MAXMEMORY",
                                             "STP_OVERLOAD",      "STP_PROCFS_BUFSIZE", "STP_SKIP_BADVARS"};

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

void warn_unknown_defines(Session &s) {
  const std::vector<std::string> known = limit_names();
  for (const auto &[name, value] : s.options.defines) {
    if (has(known, name) || embedded_c_mentions(s, name)) continue;
    if (has(documented, name)) {
      s.diag.warning("unknown-limit", {}, "-D{} has no effect", name).hint(only_in_manual);
      continue;
    }
    const std::string near = nearest_name(name, known);
    s.diag
        .warning("unknown-limit", {}, "-D{} is no limit of the language, and no embedded C of the script mentions it",
                 name)
        .hint(near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
}
