// SPDX-License-Identifier: GPL-2.0-or-later
// Headers compiled for their types: an object file with debugging information, kept as long as no header changes.
#ifndef STAP_BUILD_HEADERS_H
#define STAP_BUILD_HEADERS_H

#include <string>

#include "debuginfo/headers.h"

// Gives the object of the cache when it is newer than all it was made of, else makes it: some 50 ms for a process's
// headers, some seconds for the kernel's. False with a message in *error, compiler output included.
bool compile_headers(const HeaderRequest &request, CompiledHeaders &compiled, std::string *error);

#endif
