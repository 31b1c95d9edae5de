// SPDX-License-Identifier: GPL-2.0-or-later
// The module's beginning and end. Loading only makes /proc/stap_NAME: the script starts when its reader says so.
#include <linux/module.h>
#include "kernel.h"

static int __init stap_module_init(void)
{
	int rc;

	if (stap_program.abi_version != STAP_ABI_VERSION) {
		pr_err("%s: compiled for runtime ABI %u, this is %d\n", stap_program.name, stap_program.abi_version,
		       STAP_ABI_VERSION);
		return -EINVAL;
	}
	// Whatever the file was called when it was compiled: a cached one is renamed for each run.
	stap_program.name = THIS_MODULE->name;
	wake_init();
	spaces_init();
	addresses_init(&stap_program);
	rc = modules_init();
	if (!rc) {
		rc = control_init(&stap_program);
		if (rc)
			modules_exit();
	}
	if (rc)
		wake_exit();
	return rc;
}

// A reader pins the module, so none is there; when it went, the script was stopped and its memory given back.
static void __exit stap_module_exit(void)
{
	control_exit();
	modules_exit();
	messages_exit();
	wake_exit();
}

module_init(stap_module_init);
module_exit(stap_module_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("compiled trace script");
