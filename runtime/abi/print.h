// SPDX-License-Identifier: GPL-2.0-or-later
// Output: text records, deferred printf records, in-place sprintf, warnings and exit.
#ifndef STAP_ABI_PRINT_H
#define STAP_ABI_PRINT_H

#include "map.h"
#include "symbols.h"

// An argument of a format: the format says which member counts.
union stap_arg {
	stap_long n;
	struct stap_str s;
	struct stap_user_place u;
};
#define STAP_N(v) ((union stap_arg){.n = (v)})
#define STAP_S(v) ((union stap_arg){.s = (v)})
#define STAP_U(v) ((union stap_arg){.u = stap_user_place(c, (v))})

// Arguments' types as the translator checked them, an enum stap_arg_type (record.h) each.
struct stap_format {
	struct stap_str text; // the script's format string, escapes already decoded
	const char *arg_types;
	u32 arg_count; // '*' widths and precisions count as arguments
};

// Room for that many arguments until the statement's temporaries are released; NULL: the error is set.
union stap_arg *stap_args_alloc(struct stap_ctx *c, u32 count);
// print(x): a text record.
void stap_print(struct stap_ctx *c, struct stap_str s);
void stap_print_long(struct stap_ctx *c, stap_long v);
// printf: a record with the format's number (index into program->formats) and the arguments;
// formatted by the reader.
void stap_printf(struct stap_ctx *c, u32 format, const union stap_arg *args);
// The same with addresses of a process among the arguments: STAP_U(), or a string of them (STAP_TYPE_USYMS).
void stap_printf_places(struct stap_ctx *c, u32 format, const union stap_arg *args);
// The same as stap_printf() formatted where the probe hits, for formats that read memory (%m, %M): a fault is the
// handler's error.
void stap_printf_here(struct stap_ctx *c, u32 format, const union stap_arg *args);
// sprintf and everything else the script itself looks at.
struct stap_str stap_sprintf(struct stap_ctx *c, u32 format, const union stap_arg *args);
// warn(): one line on the reader's standard error, "WARNING: ..."; does not end the script.
void stap_warn(struct stap_ctx *c, struct stap_str s);
// exit(): end probes run after the current handlers end.
void stap_exit(struct stap_ctx *c);
// abort(): as exit(), and the current handler ends here. No error is reported and no catch takes it.
void stap_abort(struct stap_ctx *c);
// system(): the reader runs the command.
void stap_system(struct stap_ctx *c, struct stap_str command);
// @hist_log / @hist_linear of a stats value, drawn as text and followed by an empty line: HIST_WIDTH columns,
// HIST_ELISION empty rows at each side of a gap.
void stap_print_histogram(struct stap_ctx *c, const struct stap_stat *s, const struct stap_histogram *h);
// The same as a string, as much of it as fits.
struct stap_str stap_sprint_histogram(struct stap_ctx *c, const struct stap_stat *s, const struct stap_histogram *h);

#endif
