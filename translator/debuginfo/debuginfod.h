// SPDX-License-Identifier: GPL-2.0-or-later
// Debuginfo from the servers that DEBUGINFOD_URLS names, through libdebuginfod, which is loaded when it is needed.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

// Are servers named?
bool has_debuginfod();
// Downloads the debuginfo of a build-id, or finds it in libdebuginfod's cache. False with `error` set.
bool fetch_debuginfo(const std::vector<uint8_t> &build_id, std::string &path, std::string &error);

// While one lives, libdwfl does not ask the servers on its own.
class NoDebuginfod {
 public:
  NoDebuginfod();
  ~NoDebuginfod();
  NoDebuginfod(const NoDebuginfod &) = delete;
  NoDebuginfod &operator=(const NoDebuginfod &) = delete;

 private:
  std::string urls_;
};
