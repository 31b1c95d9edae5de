// SPDX-License-Identifier: GPL-2.0-or-later
// Files that a script answers for, below /proc/stap_NAME.d: STAP_ATTACH_PROCFS.
//
// A read from a file's beginning runs the handler, in the reader's task, and keeps the text that it makes for this open
// file, so that reading on from there gets the rest of the same text. Each write runs the handler once. A file may have
// a probe for reading and one for writing: whichever is attached first makes it, for both.
//
// The directory has no lookup by path: it is the module's own, and the files are made in it by their names. Removing
// waits for calls under way, and closes what is open.
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "../../abi/event.h"
#include "../compat.h"
#include "../kernel.h"

// The probes of one path; the state of the probe that has made the file.
struct procfs_state {
	struct stap_probe *reads, *writes;
};

// An open file that can be read.
struct procfs_reading {
	struct mutex lock; // of the text
	u32 len;
	char text[];
};

static struct proc_dir_entry *directory; // NULL: there is none yet

// --- the files --------------------------------------------------------------------------------------------------

static int run_handler(const struct stap_probe *p, struct stap_event_values *values)
{
	struct stap_event event = {.data = values};

	switch (stap_hit_told(p, &event)) {
	case STAP_HIT_RAN: return 0;
	case STAP_HIT_SKIPPED: return -EAGAIN; // the script is starting or ending, or its locks were not to be had
	default: return -EIO;
	}
}

static int procfs_open(struct inode *inode, struct file *file)
{
	const struct procfs_state *s = compat_pde_data(inode);
	const struct stap_probe *reads = READ_ONCE(s->reads);
	struct procfs_reading *r;

	if (((file->f_mode & FMODE_READ) && !reads) || ((file->f_mode & FMODE_WRITE) && !READ_ONCE(s->writes)))
		return -EACCES;
	if (!(file->f_mode & FMODE_READ))
		return 0;
	r = kvmalloc(sizeof(*r) + reads->attach.procfs.size, GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	mutex_init(&r->lock);
	r->len = 0;
	file->private_data = r;
	return 0;
}

static int procfs_release(struct inode *inode, struct file *file)
{
	kvfree(file->private_data);
	return 0;
}

static ssize_t procfs_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	const struct procfs_state *s = compat_pde_data(file_inode(file));
	struct procfs_reading *r = file->private_data;
	struct stap_event_values values = {.text = r->text, .text_size = s->reads->attach.procfs.size};
	ssize_t done = 0;

	if (mutex_lock_interruptible(&r->lock))
		return -ERESTARTSYS;
	if (!*at) {
		done = run_handler(s->reads, &values);
		r->len = values.text_len;
	}
	if (!done)
		done = simple_read_from_buffer(to, size, at, r->text, r->len);
	mutex_unlock(&r->lock);
	return done;
}

// What is longer than a string is taken in pieces: the caller writes the rest by another call.
static ssize_t procfs_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	const struct procfs_state *s = compat_pde_data(file_inode(file));
	const size_t piece = min_t(size_t, size, stap_program.limits.max_string_len - 1);
	struct stap_event_values values = {.text_size = piece};
	int rc;

	if (!piece)
		return 0;
	values.text = memdup_user_nul(from, piece);
	if (IS_ERR(values.text))
		return PTR_ERR(values.text);
	values.text_len = strlen(values.text);
	rc = run_handler(s->writes, &values);
	kfree(values.text);
	if (rc)
		return rc;
	*at += piece;
	return piece;
}

static const struct proc_ops procfs_ops = {
	.proc_open = procfs_open,
	.proc_release = procfs_release,
	.proc_read = procfs_read,
	.proc_write = procfs_write,
	.proc_lseek = default_llseek,
};

// --- making and removing them ------------------------------------------------------------------------------------

// A probe that comes before `p` in the script and is attached, whose path begins with the first `length` bytes of p's
// path, which then end or go on as a directory's; NULL: there is none.
static struct stap_probe *earlier_probe(const struct stap_probe *p, size_t length)
{
	const char *path = p->attach.procfs.path;
	u32 i;

	for (i = 0; i < p->index; i++) {
		struct stap_probe *other = &stap_program.probes[i];
		const char *name = other->attach.procfs.path;

		if (other->attach.kind == STAP_ATTACH_PROCFS && other->state && !strncmp(name, path, length) &&
		    name[length] == path[length])
			return other;
	}
	return NULL;
}

static int make_directories(const struct stap_probe *p)
{
	const char *path = p->attach.procfs.path, *slash;
	char name[sizeof(STAP_CONTROL_PREFIX STAP_FILES_SUFFIX) + MODULE_NAME_LEN], *above;
	int rc = 0;

	if (!directory) {
		snprintf(name, sizeof(name), STAP_CONTROL_PREFIX "%s" STAP_FILES_SUFFIX, stap_program.name);
		directory = proc_mkdir(name, NULL);
		if (!directory)
			return -ENOMEM;
	}
	for (slash = strchr(path, '/'); slash && !rc; slash = strchr(slash + 1, '/')) {
		if (earlier_probe(p, slash - path))
			continue;
		above = kstrndup(path, slash - path, GFP_KERNEL);
		rc = above && proc_mkdir(above, directory) ? 0 : -ENOMEM;
		kfree(above);
	}
	return rc;
}

// Of the probe and of the other one of its path, which may not be attached yet.
static umode_t mode_of_file(const struct stap_probe *p)
{
	umode_t mode = 0;
	u32 i;

	for (i = 0; i < stap_program.probe_count; i++) {
		const struct stap_attach *a = &stap_program.probes[i].attach;

		if (a->kind == STAP_ATTACH_PROCFS && !strcmp(a->procfs.path, p->attach.procfs.path))
			mode |= a->procfs.mode;
	}
	return mode;
}

static void set_probe(struct procfs_state *s, struct stap_probe *p)
{
	if (p->attach.procfs.is_write)
		WRITE_ONCE(s->writes, p);
	else
		WRITE_ONCE(s->reads, p);
}

// Whoever starts the script has loaded it, and owns the files.
static int procfs_attach(struct stap_probe *p)
{
	const struct stap_probe *first = earlier_probe(p, strlen(p->attach.procfs.path));
	struct proc_dir_entry *entry;
	int rc;

	if (first) {
		set_probe(first->state, p);
		return 0;
	}
	rc = make_directories(p);
	if (rc)
		return rc;
	set_probe(p->state, p);
	entry = proc_create_data(p->attach.procfs.path, mode_of_file(p), directory, &procfs_ops, p->state);
	if (!entry)
		return -ENOMEM;
	proc_set_user(entry, current_uid(), current_gid());
	return 0;
}

static void procfs_detach(struct stap_probe *const *probes, u32 count)
{
	proc_remove(directory);
	directory = NULL;
}

static const char *procfs_way(const struct stap_probe *p)
{
	return "a file in /proc";
}

const struct stap_mechanism procfs_mechanism = {
	.kind = STAP_ATTACH_PROCFS,
	.state_size = sizeof(struct procfs_state),
	.attach = procfs_attach,
	.detach = procfs_detach,
	.way = procfs_way,
};
