// SPDX-License-Identifier: GPL-2.0-or-later
// Where else a name is that a probe point asked for in vain: what an error proposes.
#pragma once
#include <string>
#include <vector>

#include "base/session.h"

// Of a function's exact name, probe points of the kernel and its modules that have it, without those of `owner`, the
// module that was searched ("" is the kernel). Modules that are not loaded are looked through where their files are not
// compressed. At most `most`.
std::vector<std::string> other_kernel_owners(Session &s, const std::string &function, const std::string &owner,
                                             size_t most);
// The same of a program's or library's function: those of the libraries that the program loads.
std::vector<std::string> other_libraries(const std::string &program, const std::string &program_point,
                                         const std::string &function, size_t most);
