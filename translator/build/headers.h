// SPDX-License-Identifier: GPL-2.0-or-later
// Headers compiled for their types: an object file with debugging information, kept as long as no header changes.
#ifndef STAP_BUILD_HEADERS_H
#define STAP_BUILD_HEADERS_H

#include <string>
#include <vector>

struct HeaderRequest {
  std::vector<std::string> headers; // "sys/time.h", in the order they are to be included
  bool for_kernel = false;          // by kbuild, with the kernel's flags; else by gcc with its defaults
  std::string kernel_release;       // for the kernel's
  std::string build_tree;           // "": /lib/modules/RELEASE/build
  std::string cache_dir;            // "": nothing is kept
  int verbose = 0;                  // 2: each command, on standard error
};

struct CompiledHeaders {
  std::string object;               // with DWARF; when nothing is kept, it lasts until the process ends
  std::vector<std::string> read;    // every file that was included
};

// Gives the object of the cache when it is newer than all it was made of, else makes it: some 50 ms for a process's
// headers, some seconds for the kernel's. False with a message in *error, compiler output included.
bool compile_headers(const HeaderRequest &request, CompiledHeaders &compiled, std::string *error);

#endif
