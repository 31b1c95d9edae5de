// SPDX-License-Identifier: GPL-2.0-or-later
// Headers compiled for their types: an object file with debugging information, kept as long as no header changes.
#pragma once
#include "base/result.h"
#include "debuginfo/headers.h"

// Gives the object of the cache when it is newer than all it was made of, else makes it: some 50 ms for a process's
// headers, some seconds for the kernel's. The reason of a failure is what the compiler found wrong.
Result<CompiledHeaders> compile_headers(const HeaderRequest &request);
