// SPDX-License-Identifier: GPL-2.0-or-later
// Where debugging information lies on disk.
#pragma once
#include <string>
#include <vector>

#include "../session.h"

// The kernel's ELF file with DWARF for the session's release; "" when there is none.
std::string find_kernel_debuginfo(const Session &s);
// The same of a module, by name ('-' and '_' are alike); "" when there is none.
std::string find_module_debuginfo(const Session &s, const std::string &name);
// Every module that has a debug file, by name with underscores, sorted.
std::vector<std::string> list_module_debuginfo(const Session &s);
// "veth" for ".../veth.ko.debug"; "" for a file that is no module.
std::string module_name_of_file(const std::string &path);
