// SPDX-License-Identifier: GPL-2.0-or-later
// What libdw does for staprun, in a library that is loaded when the first address wants it.
//
// libdw and the libraries it needs in turn take a fourth of the CPU time of a short run that has no symbol to print.
#ifndef STAPRUN_DWARF_LIBRARY_H
#define STAPRUN_DWARF_LIBRARY_H

#include "kernel_source.h"
#include "source.h"
#include "space.h"
#include "user_file.h"

struct dwarf_library {
	typeof(source_symbol) *symbol;
	typeof(source_line) *line;
	typeof(source_inlined) *inlined;
	typeof(source_demangled) *demangled;
	typeof(kernel_source_create) *kernel_create;
	typeof(kernel_source_destroy) *kernel_destroy;
	typeof(kernel_source_find) *kernel_find;
	typeof(space_create) *space_create;
	typeof(space_destroy) *space_destroy;
	typeof(space_dwfl) *space_dwfl;
	typeof(space_maps) *space_maps;
	typeof(space_unwind) *space_unwind;
	typeof(user_file_read) *user_file_read;
	typeof(user_file_free) *user_file_free;
};

#define DWARF_LIBRARY_FILE "staprun-dwarf.so"
#define DWARF_LIBRARY_NAME "staprun_dwarf_library"
extern const struct dwarf_library staprun_dwarf_library; // in the library itself

// NULL: it can't be loaded, which has been said; addresses then have no names.
const struct dwarf_library *dwarf_library(void);

#endif
