// SPDX-License-Identifier: GPL-2.0-or-later
// staprun: loads a compiled script, relays its output, unloads it.
#include <string.h>

#include "staprun.h"

static int is_module(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && !strcmp(path + n - 3, ".ko");
}

int main(int argc, char **argv)
{
	struct script script = {.socket = -1, .wake_fd = -1, .proc_fd = -1};
	struct options options;
	int status;

	parse_options(argc, argv, &options);
	if (options.delete_module)
		return kernel_delete(options.delete_module);
	if (is_module(options.file)) {
		if (kernel_open(&script, &options))
			return 1;
		status = run_script(&script, &options);
		kernel_close(&script);
	} else {
		if (process_open(&script, &options))
			return 1;
		status = run_script(&script, &options);
		process_close(&script);
	}
	return status;
}
