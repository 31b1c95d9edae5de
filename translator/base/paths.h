// SPDX-License-Identifier: GPL-2.0-or-later
// Where stap's own files are: in the build tree it was started from, or installed.
#pragma once
#include <string>
#include <vector>

struct Paths {
  std::string runtime_dir;   // abi/, core/, kernel/, user/, host.h
  std::string tapset_dir;    // *.stp, *.stpm
  std::string examples_dir;  // TOPIC/NAME.stp, .meta
  std::string host_library;  // the user host that a script's shared object is linked with
  std::string staprun;
  std::string vm_driver;   // stap-vm
  std::string vm_helpers;  // directory of its compiled helpers
};

const Paths &paths();

// $STAP_DIR/cache, $SYSTEMTAP_DIR/cache, or ${XDG_CACHE_HOME:-$HOME/.cache}/stap; "" when none of them is set.
std::string cache_directory();
// ${XDG_CACHE_HOME:-$HOME/.cache}/stap, where scripts/fetch-* and vm/stap-vm put and look for kernels and debuginfo; ""
// when neither is set.
std::string user_cache_directory();
// cache_directory() if it belongs to this user and nobody else may write there, else ""; it is made when it is missing.
// Only from such a directory, and from the system's cache, stap takes what it loads into the kernel.
std::string own_cache_directory();
// Where root keeps what serves all users, laid out like a user's cache; "" when stap runs from its build tree.
std::string system_cache_directory();
// NAME in the system's cache when it is there and only root and this user can have written it (trust.h), else "".
std::string in_system_cache(const std::string &name);
// The directory of a kernel in the system's cache, when the same holds for all that is in it, else "".
std::string system_kernel_directory(const std::string &release);
// The directories of a kernel that was unpacked for guests, with or without its headers: the user's, which may not
// exist, and the system's. vm/stap-vm and scripts/fetch-* compute the same path; it does not depend on STAP_DIR.
std::vector<std::string> fetched_kernel_directories(const std::string &release);
