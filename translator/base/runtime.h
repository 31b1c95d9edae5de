// SPDX-License-Identifier: GPL-2.0-or-later
// Where a script's handlers run, as far as the passes need to know it. How a script is built and run there is told by
// driver/runtime_work.h.
#pragma once
#include <string>

#include "base/attach_kind.h"

struct Runtime {
  const char *name;                   // --runtime=NAME, and `runtime` in the preprocessor's conditions
  const char *file_suffix;            // of what a script is compiled into
  bool (*serves)(attach::Kind kind);  // has it a mechanism for probes that are attached this way?
};

extern const Runtime kernel_runtime, user_runtime;

// Null when there is none of that name.
const Runtime *find_runtime(const std::string &name);
