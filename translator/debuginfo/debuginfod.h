// SPDX-License-Identifier: GPL-2.0-or-later
// Debuginfo from the servers that DEBUGINFOD_URLS names, through libdebuginfod, which is loaded when it is needed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

// Are servers named?
bool has_debuginfod();
// The path of a build-id's debuginfo, which is downloaded unless it is in libdebuginfod's cache.
Result<std::string> fetch_debuginfo(const std::vector<uint8_t> &build_id);

// As long as an object of this class lives, libdwfl does not ask the servers on its own.
class NoDebuginfod {
 public:
  NoDebuginfod();
  ~NoDebuginfod();
  NoDebuginfod(const NoDebuginfod &) = delete;
  NoDebuginfod &operator=(const NoDebuginfod &) = delete;

 private:
  std::string urls_;
};
