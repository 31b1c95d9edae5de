// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a command without a shell and keeps what it prints.
#pragma once
#include <string>
#include <vector>

struct CommandResult {
  int status = -1;     // exit status; 128 + signal; 127: it could not be started
  std::string output;  // standard output and error, in the order they came
};

// Runs argv (argv[0] found by PATH) in directory `cwd` ("": here), with standard input closed and
// without the variables by which an outer make would steer an inner one.
CommandResult run_command(const std::vector<std::string> &argv, const std::string &cwd = "");

// Runs a command that must succeed: throws FatalError, "compile-failed" with what it printed, when it does not. From
// verbosity 2 on the command and what it printed go to standard error.
void run_step(const std::vector<std::string> &argv, const std::string &cwd, int verbose);

// "gcc -c 'a b.c'": for messages.
std::string command_text(const std::vector<std::string> &argv);

// Where PATH has a program, or "".
std::string find_program(const std::string &name);

// What C for a process is compiled with.
std::string c_compiler();
