// SPDX-License-Identifier: GPL-2.0-or-later
// Hints that follow an error of a running script, where it is known what the user can do about it. If several entries
// of the table fit an error, the first one is printed.
#define _GNU_SOURCE // memmem
#include <string.h>

#include "staprun.h"

static const char at_entry[] = "operator '->' (at the function's entry)",
		  read_at_return[] = "in a .return probe $p->member is read when the function is entered; "
				     "p = $p; p->member reads it when it returns";

static const struct {
	const char *message; // what the error message begins with
	const char *place;   // what it must also contain, or NULL
	const char *hint;
} cures[] = {
	{"MAXACTION exceeded", NULL, "-DMAXACTION=N lets a handler run N statements"},
	{"MAXATOMICTIME exceeded", NULL,
	 "-DMAXATOMICTIME=N lets a handler keep interrupts off for N microseconds; begin and end probes don't"},
	{"MAXNESTING exceeded", NULL, "-DMAXNESTING=N lets functions call each other N deep"},
	{"probe overhead exceeded threshold", NULL,
	 "-DSTP_OVERLOAD_THRESHOLD=CYCLES allows more in each -DSTP_OVERLOAD_INTERVAL=CYCLES; -DSTP_NO_OVERLOAD any"},
	{"kernel read fault", at_entry, read_at_return},
	{"user read fault", at_entry, read_at_return},
	{"user read fault", NULL,
	 "the page may not be in memory yet: read it when the function returns; a string may also be "
	 "read with user_string_quoted(), which does not fail"},
};

void error_hint(const char *message, unsigned length)
{
	for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++) {
		size_t known = strlen(cures[i].message);

		if (length < known || memcmp(message, cures[i].message, known))
			continue;
		if (cures[i].place && !memmem(message, length, cures[i].place, strlen(cures[i].place)))
			continue;
		fprintf(stderr, "  hint: %s\n", cures[i].hint);
		return;
	}
}
