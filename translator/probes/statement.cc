// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel statements: handlers that run where the code of a line begins.
//
//   kernel.statement(PATTERN)  module(NAME).statement(PATTERN)  [.nearest]
//   kernel.statement(ADDRESS)  module(NAME).statement(ADDRESS)
//
// PATTERN is func@file:LINES, func@file+LINES or func@file:*, with wildcards in
// func and file; without lines it is the function's first instruction. Inlined
// copies are probed too. ADDRESS is one of the file, and a statement begins there.
// An address of the running kernel is probes/kprobe.cc's.
#include "probes/families.h"
#include "probes/kernel_code.h"

const ProbeFamily statement_family = {
    .name = "statement",
    .patterns = kernel_code_patterns({
        ".statement(string)",
        ".statement(string).nearest",
        ".statement(number)",
    }),
    .elaborate = elaborate_kernel_code,
    .target_context = code_context,
    .list = list_kernel_code,
};
