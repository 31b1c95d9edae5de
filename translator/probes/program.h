// SPDX-License-Identifier: GPL-2.0-or-later
// Which programs and libraries a probe point of process(...) means: paths, names to be found in PATH, wildcards,
// build-ids, running processes, the target of -c or -x, and the libraries that a program loads.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/session.h"
#include "debuginfo/program_file.h"
#include "sema/attach.h"
#include "syntax/ast.h"

// A file of code as a probe point means it.
struct ProgramUse {
  std::string path;        // absolute, without symbolic links
  std::string executable;  // not "": of a library, and only processes that run this program
  int64_t pid = 0;         // not 0: only this process
  std::string point;       // how the probe point begins: process("/bin/ls").library("/lib/libc.so.6")
};

// What the components `process` and `library` of a point mean. Empty after reporting an error, or quietly.
std::vector<ProgramUse> find_programs(Session &s, const ProbePoint &point, bool is_quiet);

// Reports that the kernel compiled for has no uprobes. True when it has, and when that is not known.
bool require_uprobes(Session &s, const Place &place);

// How a probe at an address of the file is attached.
attach::stap_file_place place_in(const ProgramUse &use, const ProgramFile &file, uint64_t address);

// What a process has mapped of a file at an address of its memory.
struct MappedPlace {
  std::string path;
  uint64_t address = 0;  // as the file counts addresses
};
// Fails with what else is there: "no file".
Result<MappedPlace> mapped_place(int64_t pid, uint64_t address);

// Where a process that runs the program executes its first instruction, of the loader where it has one. Without a path
// when that can't be found.
attach::stap_file_place first_instruction(Session &s, const ProgramUse &use);

// Where exceptions begin to go up the stack: the functions of the unwinder that the program is linked with. Return
// probes of programs need them (runtime/kernel/unwinder.c). Without paths when it has none.
struct Unwinder {
  attach::stap_file_place raise, rethrow;
};
Unwinder find_unwinder(const ProgramUse &use);
