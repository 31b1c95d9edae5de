// SPDX-License-Identifier: GPL-2.0-or-later
// One run's state: its sources and its limits.
#include "base/session.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/defines.h"

SourceFile *Session::add_source(std::string name, std::string text) {
  SourceFile *source = make<SourceFile>();
  source->name = std::move(name);
  source->text = std::move(text);
  return source;
}

bool Session::is_before(const char *version) const {
  return !options.compatible.empty() && strverscmp(options.compatible.c_str(), version) < 0;
}

void Session::depends_on_version(const Place &place, const std::string &what) {
  if (options.check_version && place && !place.file->is_tapset)
    diag.warning("version-dependent", place, what)
        .hint("--compatible=VERSION chooses the version that the script was written for");
}

int64_t Session::limit(const std::string &name, int64_t otherwise) const {
  auto found = options.defines.find(name);
  if (found == options.defines.end()) return otherwise;
  char *end = nullptr;
  errno = 0;
  const int64_t value = std::strtoll(found->second.c_str(), &end, 0);
  if (errno || found->second.empty() || *end)
    throw FatalError{"bad-limit", "-D" + name + "=" + found->second + " is not a number", {}};
  check_limit(name, value);
  return value;
}
