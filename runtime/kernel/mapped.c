// SPDX-License-Identifier: GPL-2.0-or-later
// What the current process has mapped at one address, at a hit: mmap_lock is tried, and only where giving it back is
// safe.
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include "kernel.h"

// Giving mmap_lock back may wake a waiter. Where interrupts are on, nobody holds a lock that waking takes.
static bool may_take_mmap_lock(const struct stap_ctx *c)
{
	if (in_nmi() || !current->mm)
		return false;
	return c->event->regs ? c->event->regs->flags & X86_EFLAGS_IF : host_can_wait(c->pinned);
}

// False: it can't be found out here. Else *vma is the mapping, NULL when nothing is mapped there, and release() is to
// be called.
static bool find_mapping(const struct stap_ctx *c, u64 address, const struct vm_area_struct **vma)
{
	if (!may_take_mmap_lock(c) || !mmap_read_trylock(current->mm))
		return false;
	*vma = find_vma(current->mm, address);
	if (*vma && (*vma)->vm_start > address)
		*vma = NULL;
	return true;
}

static void release(void)
{
	mmap_read_unlock(current->mm);
}

// A mapping of an overlay's file has the file below for its own.
struct inode *mapped_inode(const struct file *file)
{
	return d_real_inode(file->f_path.dentry);
}

struct stap_str host_user_module(struct stap_ctx *c, u64 address)
{
	const struct vm_area_struct *vma;
	struct stap_str name = {"", 0};
	const struct qstr *last;

	if (!find_mapping(c, address, &vma))
		return name;
	if (vma && vma->vm_file) {
		last = &vma->vm_file->f_path.dentry->d_name;
		name = stap_str_copy(c, (struct stap_str){(const char *)READ_ONCE(last->name), READ_ONCE(last->len)});
	}
	release();
	return name;
}

// The file that is mapped at the address, by its number, and where in it that is. 0: nothing is known of it.
static u32 file_at(const struct stap_ctx *c, u64 address, u64 *offset)
{
	const struct vm_area_struct *vma;
	u32 file = 0;

	if (!user_files_are_there())
		return 0;
	if (!find_mapping(c, address, &vma))
		return spaces_file(address, offset);
	if (vma && vma->vm_file) {
		file = user_files_number(file_inode(vma->vm_file));
		*offset = address - vma->vm_start + ((u64)vma->vm_pgoff << PAGE_SHIFT);
	}
	release();
	return file;
}

int host_user_symbol(const struct stap_ctx *c, u64 address, struct host_user_symbol *found)
{
	u64 offset;
	const u32 file = file_at(c, address, &offset);

	return file ? user_files_symbol(file, offset, found) : 0;
}

const struct stap_unwind_rule *mapped_rule(const struct stap_ctx *c, u64 address)
{
	u64 offset;
	const u32 file = file_at(c, address, &offset);

	return file ? user_files_rule(file, offset) : NULL;
}

struct stap_str host_why_unreadable(const struct stap_ctx *c, u64 address)
{
	const struct vm_area_struct *vma;
	struct stap_str why = STAP_STR(": nothing is mapped there");

	if (!find_mapping(c, address, &vma))
		return STAP_STR("");
	if (vma)
		why = vma->vm_flags & VM_READ ? STAP_STR(": the page is not in memory just now")
					      : STAP_STR(": the process itself may not read there");
	release();
	return why;
}
