// SPDX-License-Identifier: GPL-2.0-or-later
// What handlers may have to know of programs and libraries: names of their addresses, and how their code is unwound.
//
// The kernel has none of that. The reader passes what it reads in the files that the script is about before it starts;
// all stays as it is until the session ends, and no hit needs a lock to look at it. A file is known by its inode, on an
// overlay by that of the file below, as mappings are.
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/uaccess.h>
#include "kernel.h"

#define MAX_FILES   256
#define MAX_SYMBOLS (1u << 20)
#define MAX_RULES   (1u << 22)
#define MAX_NAMES   (1u << 26) // bytes
#define NESTED      16         // symbols within a symbol that are looked at

struct user_file {
	struct file *file; // keeps the inode
	const struct inode *inode;
	struct stap_file_symbol *symbols; // by their offsets
	struct stap_unwind_rule *rules;   // by their offsets
	char *names;
	u32 symbol_count, rule_count, names_size;
};

static struct user_file *files[MAX_FILES];
static u32 file_count;

// The reader may pass anything.
static bool makes_sense(const struct user_file *f)
{
	if (f->names[f->names_size - 1])
		return false;
	for (u32 i = 0; i < f->symbol_count; i++)
		if (f->symbols[i].name >= f->names_size || (i && f->symbols[i].offset < f->symbols[i - 1].offset))
			return false;
	for (u32 i = 1; i < f->rule_count; i++)
		if (f->rules[i].offset < f->rules[i - 1].offset)
			return false;
	return true;
}

// Of `count` things in the caller's memory, NULL: there are none. Negative errors.
static void *copy_array(u64 user, u32 count, u32 size)
{
	void *copy = count ? host_alloc((u64)count * size) : NULL;

	if (!copy)
		return count ? ERR_PTR(-ENOMEM) : NULL;
	if (!copy_from_user(copy, (const void __user *)(unsigned long)user, (u64)count * size))
		return copy;
	host_free(copy, (u64)count * size);
	return ERR_PTR(-EFAULT);
}

// 0 or an error; what could not be copied is NULL.
static int copy_all(struct user_file *f, const struct stap_ioc_user_file *asked)
{
	int rc = 0;

	f->names = copy_array(asked->names, f->names_size, 1);
	f->symbols = copy_array(asked->symbols, f->symbol_count, sizeof(*f->symbols));
	f->rules = copy_array(asked->rules, f->rule_count, sizeof(*f->rules));
	if (IS_ERR(f->names)) {
		rc = PTR_ERR(f->names);
		f->names = NULL;
	}
	if (IS_ERR(f->symbols)) {
		rc = PTR_ERR(f->symbols);
		f->symbols = NULL;
	}
	if (IS_ERR(f->rules)) {
		rc = PTR_ERR(f->rules);
		f->rules = NULL;
	}
	return rc;
}

void user_file_drop(struct user_file *f)
{
	host_free(f->names, f->names_size);
	host_free(f->symbols, (u64)f->symbol_count * sizeof(*f->symbols));
	host_free(f->rules, (u64)f->rule_count * sizeof(*f->rules));
	if (f->file)
		fput(f->file);
	host_free(f, sizeof(*f));
}

struct user_file *user_file_copy(const void __user *user)
{
	struct stap_ioc_user_file asked;
	struct user_file *f;
	int rc;

	if (copy_from_user(&asked, user, sizeof(asked)))
		return ERR_PTR(-EFAULT);
	if (!asked.names_size || asked.names_size > MAX_NAMES || asked.symbol_count > MAX_SYMBOLS ||
	    asked.rule_count > MAX_RULES)
		return ERR_PTR(-EINVAL);
	f = host_alloc(sizeof(*f));
	if (!f)
		return ERR_PTR(-ENOMEM);
	f->names_size = asked.names_size;
	f->symbol_count = asked.symbol_count;
	f->rule_count = asked.rule_count;
	rc = copy_all(f, &asked);
	if (!rc && !makes_sense(f))
		rc = -EINVAL;
	f->file = rc ? NULL : fget(asked.fd);
	if (f->file) {
		f->inode = mapped_inode(f->file);
		return f;
	}
	user_file_drop(f);
	return ERR_PTR(rc ?: -EBADF);
}

int user_file_add(struct user_file *f)
{
	if (file_count == MAX_FILES)
		return -ENOSPC;
	files[file_count++] = f;
	return 0;
}

// No handler runs any more.
void user_files_free(void)
{
	while (file_count)
		user_file_drop(files[--file_count]);
}

// --- at a hit: any context ---

bool user_files_are_there(void)
{
	return file_count;
}

u32 user_files_number(const struct inode *inode)
{
	for (u32 i = 0; i < file_count; i++)
		if (files[i]->inode == inode)
			return i + 1;
	return 0;
}

static const struct user_file *find_file(u32 number)
{
	return number && number <= file_count ? files[number - 1] : NULL;
}

int user_files_symbol(u32 file, u64 offset, struct host_user_symbol *found)
{
	const struct user_file *f = find_file(file);
	u32 low = 0, high = f ? f->symbol_count : 0;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (f->symbols[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (u32 tried = 0; tried < NESTED && tried < low; tried++) {
		const struct stap_file_symbol *symbol = &f->symbols[low - 1 - tried];

		if (offset - symbol->offset >= symbol->size)
			continue;
		*found = (struct host_user_symbol){f->names + symbol->name, f->names, offset - symbol->offset,
						   symbol->size};
		return 1;
	}
	return 0;
}

const struct stap_unwind_rule *user_files_rule(u32 file, u64 offset)
{
	const struct user_file *f = find_file(file);
	u32 low = 0, high = f ? f->rule_count : 0;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (f->rules[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &f->rules[low - 1] : NULL;
}
