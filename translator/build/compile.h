// SPDX-License-Identifier: GPL-2.0-or-later
// Pass 4: the emitted C file becomes a kernel module or a shared object.
#pragma once
#include <string>
#include <vector>

struct BuildRequest {
  std::string c_file;                            // the emitted C
  std::string name;                              // of the module: letters, digits, '_'; at most 55 of them
  std::string output;                            // the .ko or .so to write
  std::string kernel_release;                    // "6.1.0-56-amd64"
  std::string build_tree;                        // "": /lib/modules/RELEASE/build
  bool embedded_c_needs_kernel_headers = false;  // kbuild compiles the script, which takes seconds
  int verbose = 0;                               // 1: what is prepared; 2: each command, on standard error
  bool keep = false;                             // leave the temporary directory, and say where
  std::string runtime_dir;                       // where abi/, core/, kernel/ and host.h are
  std::string cache_dir;                         // where a prepared kernel is looked for, and kept
  std::string system_cache_dir;                  // where root may have prepared it; "": nowhere
  std::vector<std::string> extra_cflags;
};

// These throw FatalError when they fail. What the compiler or kbuild printed is then the message of "compile-failed" or
// "kbuild-failed". A script's function that needs too much of the stack is a FrameTooLarge (build/stack_usage.h).

// Compiles request.c_file into the module request.output. The first call for a kernel build tree prepares its runtime
// (a few seconds), later ones take some 50 ms.
void build_kernel_module(const BuildRequest &request);

// Only prepares the kernel's runtime (stap --prepare): c_file, name and output are not looked at.
void prepare_kernel(const BuildRequest &request);

// "linux-headers-RELEASE (Debian) or kernel-devel-RELEASE (Fedora)": what has a kernel's build tree.
std::string header_packages(const std::string &kernel_release);

// Compiles request.c_file and the user host's library into a shared object.
void build_user_object(const BuildRequest &request, const std::string &host_library);
