// SPDX-License-Identifier: GPL-2.0-or-later
// Module parameters set="NAME=VALUE": first values of the script's global longs and strings.
//
// They come before the module's own start, and before there is storage for strings: kept until the session is made.
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include "kernel.h"

#define MAX_SETTINGS 64

static char *settings[MAX_SETTINGS];
static unsigned int setting_count;

static int remember(const char *value, const struct kernel_param *parameter)
{
	if (!value || !strchr(value, '='))
		return -EINVAL;
	if (setting_count == MAX_SETTINGS)
		return -ENOSPC;
	settings[setting_count] = kstrdup(value, GFP_KERNEL);
	if (!settings[setting_count])
		return -ENOMEM;
	setting_count++;
	return 0;
}

// The kernel calls it when the module goes, or could not be loaded.
static void forget(void *unused)
{
	while (setting_count)
		kfree(settings[--setting_count]);
}

static const struct kernel_param_ops setting_ops = {.set = remember, .free = forget};
module_param_cb(set, &setting_ops, NULL, 0);

int settings_apply(void)
{
	unsigned int i;

	for (i = 0; i < setting_count; i++) {
		const char *equals = strchr(settings[i], '=');
		struct stap_str name = {settings[i], equals - settings[i]};
		struct stap_str value = {equals + 1, strlen(equals + 1)};
		int rc = stap_session_set_global(name, value);

		if (rc) {
			pr_err("%s: can't set %s: %s\n", stap_program.name, settings[i],
			       rc == -ENOENT ? "no such global" : "not a value of its type");
			return rc;
		}
	}
	return 0;
}
