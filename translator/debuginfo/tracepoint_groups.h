// SPDX-License-Identifier: GPL-2.0-or-later
// The groups of the kernel's tracepoints: "sched" of sched_switch, the directories of tracefs's events.
#pragma once
#include <string>
#include <vector>

#include "debuginfo/elf_image.h"
#include "debuginfo/kallsyms.h"

// "group:name\n" for each trace event of the image that is of a tracepoint; "" when its table is not found.
std::string read_tracepoint_groups(const std::vector<KernelSymbol> &symbols, const ElfImage &image);
// The same of a module's file.
std::string read_module_tracepoint_groups(const ElfImage &module);
// The same of the running kernel, as tracefs shows it; "" when this user may not look.
std::string read_running_tracepoint_groups();
