// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of staprun itself, on standard error, in the words users look for.
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "staprun.h"

void complain(const char *word, const char *format, ...)
{
	char text[2048];
	int n = snprintf(text, sizeof(text), "%s: ", word);
	va_list args;

	va_start(args, format);
	n += vsnprintf(text + n, sizeof(text) - (size_t)n - 1, format, args);
	va_end(args);
	if (n > (int)sizeof(text) - 2)
		n = (int)sizeof(text) - 2;
	text[n++] = '\n';
	if (write(STDERR_FILENO, text, (size_t)n) < 0)
		return; // nobody to tell
}
