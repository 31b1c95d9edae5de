// SPDX-License-Identifier: GPL-2.0-or-later
// The third pass: the elaborated program as one C file.
#pragma once
#include <string>

class Session;
struct Program;

// s.program to C. Nothing here looks at debuginfo.
std::string translate(Session &s);
// Whether there is embedded C that may use the headers of where the script runs.
bool embedded_c_needs_headers(const Program &program);
