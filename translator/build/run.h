// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a command without a shell and keeps what it prints.
#ifndef STAP_BUILD_RUN_H
#define STAP_BUILD_RUN_H

#include <string>
#include <vector>

struct CommandResult {
  int status = -1;     // exit status; 128 + signal; 127: it could not be started
  std::string output;  // standard output and error, in the order they came
};

// Runs argv (argv[0] found by PATH) in directory `cwd` ("": here), with standard input closed and
// without the variables by which an outer make would steer an inner one.
CommandResult run_command(const std::vector<std::string> &argv, const std::string &cwd = "");

// "gcc -c 'a b.c'": for messages.
std::string command_text(const std::vector<std::string> &argv);

// Where PATH has a program, or "".
std::string find_program(const std::string &name);

#endif
