// SPDX-License-Identifier: GPL-2.0-or-later
// One run's state: its sources, and the version of the language.
#include "base/session.h"

#include <cstring>
#include <sys/utsname.h>

SourceFile *Session::add_source(std::string name, std::string text) {
  SourceFile *source = make<SourceFile>();
  source->name = std::move(name);
  source->text = std::move(text);
  return source;
}

bool Session::is_for_running_kernel() const {
  struct utsname running;
  return uname(&running) == 0 && kernel_release == running.release;
}

bool Session::is_before(const char *version) const {
  return !options.compatible.empty() && strverscmp(options.compatible.c_str(), version) < 0;
}

void Session::depends_on_version(const Place &place, const std::string &what) {
  if (options.check_version && place && !place.file->is_tapset)
    diag.warning("version-dependent", place, what)
        .hint("--compatible=VERSION chooses the version that the script was written for");
}
