// SPDX-License-Identifier: GPL-2.0-or-later
// What a user can do about an error of a running script: a line after the error, for those with a known cure.
#include <string.h>

#include "staprun.h"

static const struct {
	const char *message; // the words that the error begins with
	const char *hint;
} cures[] = {
	{"MAXACTION exceeded", "-DMAXACTION=N lets a handler run N statements"},
	{"MAXNESTING exceeded", "-DMAXNESTING=N lets functions call each other N deep"},
	{"probe overhead exceeded threshold",
	 "-DSTP_OVERLOAD_THRESHOLD=CYCLES allows more in each -DSTP_OVERLOAD_INTERVAL=CYCLES; -DSTP_NO_OVERLOAD any"},
	{"user read fault",
	 "the page may not be in memory yet: read it when the function returns; a string may also be "
	 "read with user_string_quoted(), which does not fail"},
};

void error_hint(const char *message, unsigned length)
{
	for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++) {
		size_t known = strlen(cures[i].message);

		if (length >= known && !memcmp(message, cures[i].message, known))
			fprintf(stderr, "  hint: %s\n", cures[i].hint);
	}
}
