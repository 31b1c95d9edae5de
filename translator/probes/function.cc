// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel functions: handlers that run where a function is entered, inlined, or returns, or at one of its labels.
//
//   kernel.function(PATTERN)  module(NAME).function(PATTERN)
//       [.call | .inline | .exported | .return [.maxactive(N)] | .label(NAME)
//        | .callee(NAME) [.call | .return [.maxactive(N)]] | .callees | .callees(DEPTH)]
//
// PATTERN is func[@file[:LINES|+LINES|:*]]; wildcards are allowed in the
// function's, the file's, the label's and the module's name. Without a suffix both
// the function itself and its inlined copies are probed.
#include "probes/families.h"
#include "probes/kernel_code.h"

const ProbeFamily function_family = {
    .name = "function",
    .patterns = kernel_code_patterns({
        ".function(string)",
        ".function(string).call",
        ".function(string).inline",
        ".function(string).exported",
        ".function(string).return",
        ".function(string).return.maxactive(number)",
        ".function(string).label(string)",
        ".function(string).callee(string)",
        ".function(string).callee(string).call",
        ".function(string).callee(string).return",
        ".function(string).callee(string).return.maxactive(number)",
        ".function(string).callees",
        ".function(string).callees(number)",
    }),
    .elaborate = elaborate_kernel_code,
    .target_context = code_context,
    .list = list_kernel_code,
    .listed_by = "function",
};
