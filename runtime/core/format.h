// SPDX-License-Identifier: GPL-2.0-or-later
// The printf family's formatting, shared by the runtime (sprintf at the probe) and staprun (deferred printf).
#ifndef STAP_FORMAT_H
#define STAP_FORMAT_H

#include "../abi/print.h"
#include "../abi/record.h"
#include "format_parse.h"

// Widths, and precisions of numbers, above this are taken as this.
#define STAP_FORMAT_MAX_WIDTH 8192
// %m and %M read at most this many bytes.
#define STAP_FORMAT_MAX_MEMORY 4096

struct stap_format_in {
	struct stap_str text;
	const union stap_arg *args;
	u32 arg_count; // an argument that is missing counts as 0 or ""
	// How %m and %#m read memory: 0 or nonzero on a fault. NULL: they print nothing.
	int (*read_kernel)(void *to, u64 from, u32 size);
	int (*read_user)(void *to, u64 from, u32 size);
};

struct stap_format_fault {
	enum stap_fault kind;
	u64 address;
};

// Formats into out[size]. Returns the length of the whole text; what does not fit is not written.
u32 stap_format_text(const struct stap_format_in *in, char *out, u32 size, struct stap_format_fault *fault);

// Does the format take just these arguments (an enum stap_arg_type each)?
int stap_format_takes(struct stap_str format, const char *types, u32 count);

#endif
