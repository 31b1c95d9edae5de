// SPDX-License-Identifier: GPL-2.0-or-later
// Whose events a probe point with a component `process` asks for, where the kernel binds events to tasks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sema/attach.h"
#include "sema/match.h"

struct ProcessBinding {
  bool is_bound = false;          // else everybody's
  std::string program;            // not "": of processes that run it; else of the process below
  uint64_t pid = 0;               // 0: the target of -c or -x
  attach::stap_file_place start;  // where the program's processes begin
};

// One for each program that the point means; none after an error.
std::vector<ProcessBinding> process_bindings(const ProbeRequest &request);
// The same where the program has to be known although the point names none: that of the target, or of a process. `path`
// is its file.
struct ProgramBinding : ProcessBinding {
  std::string path;
};
std::vector<ProgramBinding> program_bindings(const ProbeRequest &request);
