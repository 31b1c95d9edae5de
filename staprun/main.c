// SPDX-License-Identifier: GPL-2.0-or-later
// staprun: loads a compiled script, relays its output, unloads it.
#include "staprun.h"

int main(int argc, char **argv)
{
	struct script script = {.socket = -1, .wake_fd = -1, .proc_fd = -1};
	struct options options;
	int status;

	parse_options(argc, argv, &options);
	if (options.delete_module)
		return kernel_delete(options.delete_module);
	if (script_open(&script, &options))
		return 1;
	status = run_script(&script, &options);
	script.operations->close(&script);
	return status;
}
