// SPDX-License-Identifier: GPL-2.0-or-later
// Which programs a run is about: those of its probe points, the process of -x, the command of -c.
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

#include "kept.h"

// The path of the program that the point is in, `process("/bin/true").function(...)`, to be freed; NULL: in none.
static char *program_of(struct stap_str point)
{
	static const char start[] = "process(\"/";
	const u32 before = sizeof(start) - 2; // what precedes the path
	const char *end;

	if (point.len < sizeof(start) || memcmp(point.ptr, start, sizeof(start) - 1))
		return NULL;
	end = memchr(point.ptr + before, '"', point.len - before);
	return end ? strndup(point.ptr + before, (size_t)(end - point.ptr) - before) : NULL;
}

void kept_files_add_programs(struct kept_files *k, const struct stap_str *points, u32 count)
{
	for (u32 i = 0; i < count; i++) {
		char *path = program_of(points[i]);

		if (path)
			kept_files_add(k, path);
		free(path);
	}
}

void kept_files_add_mapped(struct kept_files *k, u32 process)
{
	char path[64], line[4352], permissions[8];
	int name;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", process);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%*s %7s %*s %*s %*s %n", permissions, &name) == 1 && permissions[2] == 'x' &&
		    line[name] == '/')
			kept_files_add(k, line + name);
	}
	if (f)
		fclose(f);
}

// As execvp(3) looks for it.
static void add_found(struct kept_files *k, const char *name)
{
	const char *at = getenv("PATH"), *end;
	char path[PATH_MAX];

	if (strchr(name, '/')) {
		kept_files_add(k, name);
		return;
	}
	for (; at && *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)(end - at), at, name);
		if (!access(path, X_OK) && !kept_files_add(k, path))
			return;
	}
}

void kept_files_add_command(struct kept_files *k, const char *command)
{
	wordexp_t words;

	if (wordexp(command, &words, WRDE_NOCMD))
		return; // the shell's
	if (words.we_wordc)
		add_found(k, words.we_wordv[0]);
	wordfree(&words);
}
