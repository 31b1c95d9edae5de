// SPDX-License-Identifier: GPL-2.0-or-later
// What the C compiler says of the script's embedded C, in the script's terms.
#pragma once
#include <string>

class Session;
struct FrameTooLarge;

// Reports each error in a compiler's, linker's or modpost's output that is in the script's own C; returns how many
// there were.
int report_compiler_errors(Session &s, const std::string &output);
// Reports the function or handler of the script that needs too much of the stack.
void report_large_frame(Session &s, const FrameTooLarge &frame);
// Is there C in the script's own files?
bool has_own_embedded_c(const Session &s);
