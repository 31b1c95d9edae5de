// SPDX-License-Identifier: GPL-2.0-or-later
// What libdwfl knows of an address in a file.
#ifndef STAPRUN_SOURCE_H
#define STAPRUN_SOURCE_H

#include <elfutils/libdwfl.h>

#include "abi/types.h"

struct source_symbol {
	const char *name; // NULL: it has none
	u64 offset, size;
	const char *file;
	u64 file_start, file_size; // in memory
};
// Of `place`, which is the address itself, or the byte before when the address is where a call returns to: the call may
// be the last of its function. 0: no file is there.
int source_symbol(Dwfl *dwfl, u64 address, u64 place, struct source_symbol *found);
// The line, and the file in *file; 0: it is not known.
int source_line(Dwfl *dwfl, u64 place, const char **file);
struct source_inlined {
	const char *name;
	const char *call_file; // where it was inlined; NULL and 0: that is not known
	int call_line;
};
// The functions that were inlined there, the innermost first; how many they are.
unsigned source_inlined(Dwfl *dwfl, u64 place, struct source_inlined *copies, unsigned max);
char *source_demangled(const char *name); // to be freed; NULL: it is no C++ name

#endif
