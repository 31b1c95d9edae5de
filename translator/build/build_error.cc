// SPDX-License-Identifier: GPL-2.0-or-later
// Recognizes a full disk in what a build was stopped by.
#include <fmt/core.h>

#include "build/build_error.h"

#include "base/paths.h"

FatalError build_error(const std::string &id, const std::string &message, std::vector<std::string> hints) {
  for (const char *full : {"No space left on device", "Disk quota exceeded", "File too large"})
    if (message.find(full) != std::string::npos)
      return {"disk-full",
              message,
              {fmt::format(
                  "stap --clean-cache shrinks the cache ({}); STAP_DIR puts it elsewhere, TMPDIR the temporary files",
                  cache_directory())}};
  return {id, message, std::move(hints)};
}
