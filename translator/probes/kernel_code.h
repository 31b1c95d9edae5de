// SPDX-License-Identifier: GPL-2.0-or-later
// Code of the kernel and its modules, which .function(...) and .statement(...) are looked up in.
#pragma once
#include "probes/code.h"

// What the families of kernel.function, kernel.statement and their like for modules do.
int elaborate_kernel_code(ProbeRequest &request);
std::vector<ProbeFamily::Listed> list_kernel_code(Session &s, const ProbePoint &point, bool with_variables);
// "kernel" and "module(string)", each followed by each of the suffixes: the patterns of a family.
std::vector<std::string> kernel_code_patterns(const std::vector<std::string> &suffixes);
