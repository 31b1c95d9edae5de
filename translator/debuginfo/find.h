// SPDX-License-Identifier: GPL-2.0-or-later
// Where debugging information lies on disk.
#pragma once
#include <string>
#include <vector>

#include "base/session.h"

// The kernel's ELF file with DWARF for the session's release; "" when there is none.
std::string find_kernel_debuginfo(const Session &s);
// The same of a module, by name ('-' and '_' are alike); "" when there is none.
std::string find_module_debuginfo(const Session &s, const std::string &name);
// Images of the kernel that may hold BTF, the best first.
std::vector<std::string> find_kernel_images(const Session &s);
// A module's own file, which may hold BTF; "" when there is none.
std::string find_module_image(const Session &s, const std::string &name);
// The Debian package that a file came from, as dpkg has recorded it; "" when it is not known.
std::string package_of(const std::string &path);
// Modules and their own files, each module once.
std::vector<std::pair<std::string, std::string>> module_images(const Session &s);
// Every module that has a debug file or a file of its own, by name with underscores, sorted.
std::vector<std::string> list_modules(const Session &s);
// "veth" for ".../veth.ko.debug"; "" for a file that is no module.
std::string module_name_of_file(const std::string &path);
// Is the module part of the kernel itself (modules.builtin)? `name` with underscores.
bool is_built_in(const Session &s, const std::string &name);
