// SPDX-License-Identifier: GPL-2.0-or-later
// What is printed instead of being run: the elaborated program, the probe points there are, the library's names.
#pragma once
#include <string>

class Session;

std::string print_program(const Session &s);                      // -p2
std::string list_probes(Session &s, const std::string &pattern);  // -l, -L, --format=json
// One a line, sorted: patterns of probe points; the library's aliases; its public functions with their types.
std::string dump_probe_types();
std::string dump_probe_aliases(Session &s);
std::string dump_functions(Session &s);
std::string help_tapset(const Session &s);  // --help-tapset
