// SPDX-License-Identifier: GPL-2.0-or-later
// Where stap's own files are: in the build tree it was started from, or installed.
#pragma once
#include <string>

struct Paths {
  std::string runtime_dir;   // abi/, core/, kernel/, user/, host.h
  std::string tapset_dir;    // *.stp, *.stpm
  std::string host_library;  // the user host that a script's shared object is linked with
  std::string staprun;
  std::string vm_driver;     // stap-vm
  std::string vm_helpers;    // directory of its compiled helpers
};

const Paths &paths();

// ${XDG_CACHE_HOME:-$HOME/.cache}/stap; "" when neither is set.
std::string cache_directory();
