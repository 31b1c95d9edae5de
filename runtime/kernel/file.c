// SPDX-License-Identifier: GPL-2.0-or-later
// Files that a script names: opened by the kernel to be probed or compared. Process context; may sleep.
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include "kernel.h"

// Opening another file than a regular one may do something, or wait.
struct file *file_open_regular(const char *name)
{
	struct file *file;
	struct path path;
	int rc = kern_path(name, LOOKUP_FOLLOW, &path);

	if (rc)
		return ERR_PTR(rc);
	file = d_is_reg(path.dentry) ? dentry_open(&path, O_RDONLY | O_LARGEFILE, current_cred()) : ERR_PTR(-EINVAL);
	path_put(&path);
	return file;
}
