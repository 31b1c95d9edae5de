// SPDX-License-Identifier: GPL-2.0-or-later
// The list of runtimes.
#include "base/runtime.h"

const Runtime *find_runtime(const std::string &name) {
  for (const Runtime *runtime : {&kernel_runtime, &user_runtime})
    if (name == runtime->name) return runtime;
  return nullptr;
}
