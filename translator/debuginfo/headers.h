// SPDX-License-Identifier: GPL-2.0-or-later
// What is asked of whoever compiles headers for their types (Session::compile_headers).
#pragma once
#include <string>
#include <vector>

struct HeaderRequest {
  std::vector<std::string> headers;  // "sys/time.h", in the order they are to be included
  bool for_kernel = false;           // by kbuild, with the kernel's flags; else by gcc with its defaults
  std::string kernel_release;        // for the kernel's
  std::string build_tree;            // "": /lib/modules/RELEASE/build
  std::string cache_dir;             // "": nothing is kept
  int verbose = 0;                   // 2: each command, on standard error
};

struct CompiledHeaders {
  std::string object;             // with DWARF; when nothing is kept, it lasts until the process ends
  std::vector<std::string> read;  // every file that was included
};
