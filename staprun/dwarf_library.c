// SPDX-License-Identifier: GPL-2.0-or-later
// Loads the library that knows libdw: the build tree's when staprun runs from it, the installed one else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "dwarf_library.h"
#include "places.h"

// staprun is run by root: the library comes from the place that it was built for, whatever the environment says.
static const char *library_path(void)
{
	static const char build_tree[] = ABS_TOP_BUILDDIR "/";
	char self[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self));

	if (length >= (ssize_t)sizeof(build_tree) && !memcmp(self, build_tree, sizeof(build_tree) - 1))
		return ABS_TOP_BUILDDIR "/staprun/" DWARF_LIBRARY_FILE;
	return PKGLIBDIR "/" DWARF_LIBRARY_FILE;
}

const struct dwarf_library *dwarf_library(void)
{
	static const struct dwarf_library *library;
	static int was_looked_for;
	void *handle;

	if (was_looked_for)
		return library;
	was_looked_for = 1;
	handle = dlopen(library_path(), RTLD_NOW | RTLD_LOCAL);
	if (handle)
		library = dlsym(handle, DWARF_LIBRARY_NAME);
	if (!library)
		complain("WARNING", "addresses of processes have no names, and none has a line: %s", dlerror());
	return library;
}
