// SPDX-License-Identifier: GPL-2.0-or-later
// Places in programs and libraries by uprobe: STAP_ATTACH_UPROBE.
//
// The kernel puts a breakpoint into the page of each process that maps the file, now or later, and calls the handler in
// the process's context. It may sleep there; ours does not, and runs like any other, with interrupts off.
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "../compat.h"
#include "../uprobe.h"

// --- what returns (uretprobe.c) need too ---------------------------------------------------------------------------

// What a process has mapped of a file on an overlay is the file below.
static struct inode *mapped_inode(const struct file *file)
{
	return d_real_inode(file->f_path.dentry);
}

static bool is_long_nop(u64 code)
{
	static const u8 nop[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

	return !memcmp(&code, nop, sizeof(nop));
}

static int check_code(struct file *file, const struct stap_file_place *place)
{
	loff_t at = place->offset;
	u64 code = 0;
	ssize_t got = kernel_read(file, &code, sizeof(code), &at);

	if (got < 0)
		return got;
	if (code != place->code)
		return -ESTALE;
	return COMPAT_UPROBES_ON_NOPS_CALL && is_long_nop(code) ? -EOPNOTSUPP : 0;
}

static int open_both(struct uprobe_at *at, const struct stap_file_place *place)
{
	struct file *file = file_open_regular(place->path);

	if (IS_ERR(file))
		return PTR_ERR(file);
	at->file = file;
	if (!place->executable)
		return 0;
	file = file_open_regular(place->executable);
	if (IS_ERR(file))
		return PTR_ERR(file);
	at->executable = file;
	return 0;
}

bool uprobe_at_wanted(const struct uprobe_at *at)
{
	const struct file *program;
	bool is_same;

	if (!target_includes(current) || (at->place->pid && current->tgid != at->place->pid))
		return false;
	if (!at->executable)
		return true;
	rcu_read_lock();
	program = rcu_dereference(current->mm->exe_file);
	is_same = program && file_inode(program) == file_inode(at->executable);
	rcu_read_unlock();
	return is_same;
}

int uprobe_at_register(struct uprobe_at *at, const struct stap_probe *p, const struct stap_file_place *place)
{
	int rc = target_watch();

	at->probe = p;
	at->place = place;
	rc = rc ?: open_both(at, place) ?: check_code(at->file, place);
	rc = rc
		     ?: compat_uprobe_register(mapped_inode(at->file), place->offset, place->semaphore, &at->consumer,
					       &at->handle);
	if (rc)
		uprobe_at_close(at);
	return rc;
}

void uprobe_at_unregister(struct uprobe_at *at)
{
	compat_uprobe_unregister(mapped_inode(at->file), at->place->offset, &at->consumer, at->handle);
}

void uprobe_at_wait(void)
{
	compat_uprobe_sync();
}

void uprobe_at_close(struct uprobe_at *at)
{
	if (at->file)
		fput(at->file);
	if (at->executable)
		fput(at->executable);
	at->file = at->executable = NULL;
}

// --- the mechanism -------------------------------------------------------------------------------------------------

static int uprobe_hit(struct uprobe_consumer *consumer, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	const struct uprobe_at *at = container_of(consumer, struct uprobe_at, consumer);
	struct stap_event event = {.regs = as_stap_regs(regs)};

	if (uprobe_at_wanted(at))
		stap_hit(at->probe, &event);
	return 0;
}

static int uprobe_attach(struct stap_probe *p)
{
	struct uprobe_at *at = p->state;

	at->consumer.handler = uprobe_hit;
	cost_measure_breakpoint();
	return uprobe_at_register(at, p, &p->attach.uprobe.place);
}

// The trap at the breakpoint and, unless the kernel emulates the instruction, that behind the single step over it.
static u32 uprobe_cost(const struct stap_probe *p)
{
	return 2 * cost_of_breakpoint();
}

static void uprobe_detach(struct stap_probe *const *probes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		uprobe_at_unregister(probes[i]->state);
	uprobe_at_wait();
	for (i = 0; i < count; i++)
		uprobe_at_close(probes[i]->state);
}

static const struct stap_file_place *uprobe_file_place(const struct stap_attach *a)
{
	return &a->uprobe.place;
}

static const char *uprobe_way(const struct stap_probe *p)
{
	return "uprobe";
}

const struct stap_mechanism uprobe_mechanism = {
	.kind = STAP_ATTACH_UPROBE,
	.state_size = sizeof(struct uprobe_at),
	.attach = uprobe_attach,
	.detach = uprobe_detach,
	.cost = uprobe_cost,
	.way = uprobe_way,
	.file_place = uprobe_file_place,
};
