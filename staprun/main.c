// SPDX-License-Identifier: GPL-2.0-or-later
// staprun: loads a compiled script, relays its output, unloads it.
#include <errno.h>
#include <signal.h>

#include "staprun.h"

// A script whose target() is no process would wait for hits that can't come.
static int target_exists(const struct options *o)
{
	if (!o->target_pid || !kill((pid_t)o->target_pid, 0) || errno != ESRCH)
		return 1;
	error("there is no process %u, which -x names", o->target_pid);
	return 0;
}

int main(int argc, char **argv)
{
	struct script script = {.socket = -1, .wake_fd = -1, .proc_fd = -1};
	static struct options options; // with what it points to kept until the program ends
	int status;

	signal(SIGUSR1, SIG_IGN); // until there is a status that it can ask for
	parse_options(argc, argv, &options);
	if (options.delete_module)
		return kernel_delete(options.delete_module);
	if (options.status_of)
		return status_ask(options.status_of);
	if (!target_exists(&options) || script_open(&script, &options))
		return 1;
	status = run_script(&script, &options);
	script.operations->close(&script);
	return status;
}
