// SPDX-License-Identifier: GPL-2.0-or-later
// How a script for a runtime (base/runtime.h) is built and run: one file each, kernel_module.cc and user_process.cc.
#pragma once
#include <string>
#include <vector>

#include "base/session.h"
#include "build/compile.h"
#include "driver/script_inputs.h"

struct RuntimeWork {
  // Adds what a compiled script depends on besides script, options, library and compiler.
  void (*add_inputs)(ScriptInputs &inputs, const Session &s);
  // Compiles request.c_file into request.output; throws FatalError.
  void (*build)(const BuildRequest &request);
  // Is this machine, or the guest that the options ask for, one where the script can run? Throws FatalError with the
  // cures when it is not.
  void (*check_can_run)(const Session &s);
  // Can scripts be built here but not be run, because of the options? Then warns and lets pass 4 be the last.
  void (*limit_passes)(Session &s);
  // Options of staprun that the runtime needs.
  std::vector<std::string> (*run_options)(const Session &s);
};

extern const RuntimeWork kernel_work, user_work;

// Of the session's runtime.
const RuntimeWork &runtime_work(const Session &s);
