// SPDX-License-Identifier: GPL-2.0-or-later
// What embedded C may use besides the macros that are defined around it: formatted output and errors, C strings.
#ifndef STAP_ABI_EMBEDDED_H
#define STAP_ABI_EMBEDDED_H

#include "context.h"

// Formats are those of the place where the script runs: the kernel's printk formats, or the C library's.
// STAP_PRINTF: a text record of at most MAXSTRINGLEN - 1 bytes. Any context.
void stap_c_printf(struct stap_ctx *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
// STAP_ERROR: sets the pending error.
void stap_c_fail(struct stap_ctx *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A NUL-terminated copy as a temporary; "" with the error set when there is no room.
char *stap_c_string(struct stap_ctx *c, struct stap_str s);
// A buffer of MAXSTRINGLEN bytes as a temporary, holding ""; NULL with the error set.
char *stap_c_buffer(struct stap_ctx *c);
// strlcpy() of a result into such a buffer.
void stap_c_return(struct stap_ctx *c, char *buffer, const char *value);

#endif
