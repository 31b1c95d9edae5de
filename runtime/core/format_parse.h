// SPDX-License-Identifier: GPL-2.0-or-later
// The one grammar of printf formats: the translator checks with it, the runtime and staprun format with it.
#ifndef STAP_FORMAT_PARSE_H
#define STAP_FORMAT_PARSE_H

#include "../abi/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A width or precision above this is an error of the script.
#define STAP_FORMAT_MAX_AMOUNT 1000000

enum stap_format_flag {
	STAP_FORMAT_LEFT = 1,  // '-'
	STAP_FORMAT_PLUS = 2,  // '+'
	STAP_FORMAT_SPACE = 4, // ' '
	STAP_FORMAT_ALT = 8,   // '#'
	STAP_FORMAT_ZERO = 16, // '0'
};

enum stap_conversion_kind {
	STAP_CONVERT_SIGNED,
	STAP_CONVERT_UNSIGNED,
	STAP_CONVERT_POINTER,
	STAP_CONVERT_CHARACTER,
	STAP_CONVERT_BINARY, // the number's bytes as they are
	STAP_CONVERT_STRING,
	STAP_CONVERT_MEMORY, // the number is an address: the bytes there
};

// What a letter after '%' means. All take a number but STAP_CONVERT_STRING, which takes a string.
struct stap_conversion {
	char letter;
	u8 kind;            // enum stap_conversion_kind
	u8 base;            // of digits: 8, 10 or 16; 0 where none are written
	u8 capital;         // digits are 0-9A-F
	const char *prefix; // before the digits: with '#', and always for a pointer
};

enum stap_format_problem {
	STAP_FORMAT_FINE,
	STAP_FORMAT_CUT_OFF,  // the format ends, or something unprintable stands, where the letter should be
	STAP_FORMAT_UNKNOWN,  // no such conversion
	STAP_FORMAT_TOO_WIDE, // width or precision above STAP_FORMAT_MAX_AMOUNT
	STAP_FORMAT_BAD_SIZE, // %b of other than 1, 2, 4 or 8 bytes
};

// One piece of a format: literal text, a directive, or something that should have been a directive.
struct stap_directive {
	const struct stap_conversion *conversion; // NULL: literal text, or a problem
	struct stap_str text; // a literal: what it prints ("%%" is "%"); else the piece as it is written
	s32 width, precision; // -1: not given
	u8 flags;             // enum stap_format_flag
	u8 width_from_arg, precision_from_arg; // '*'
	u8 problem;                            // enum stap_format_problem
};

// The next piece from *at on: 1, or 0 at the end. A problem does not end the parse: *at is after the piece.
int stap_format_next(struct stap_str format, u32 *at, struct stap_directive *d);

#ifdef __cplusplus
}
#endif

#endif
