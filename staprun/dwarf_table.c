// SPDX-License-Identifier: GPL-2.0-or-later
// The library's one symbol: the table of what staprun calls.
#include "dwarf_library.h"

const struct dwarf_library staprun_dwarf_library __attribute__((visibility("default"))) = {
	.symbol = source_symbol,
	.line = source_line,
	.inlined = source_inlined,
	.demangled = source_demangled,
	.kernel_create = kernel_source_create,
	.kernel_destroy = kernel_source_destroy,
	.kernel_find = kernel_source_find,
	.space_create = space_create,
	.space_destroy = space_destroy,
	.space_dwfl = space_dwfl,
	.space_maps = space_maps,
	.space_unwind = space_unwind,
	.user_file_read = user_file_read,
	.user_file_free = user_file_free,
};
