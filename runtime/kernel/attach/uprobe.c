// SPDX-License-Identifier: GPL-2.0-or-later
// Places in programs and libraries by uprobe: STAP_ATTACH_UPROBE.
//
// The kernel puts a breakpoint into the page of each process that maps the file, now or later, and calls the handler in
// the process's context. It may sleep there; ours does not, and runs like any other, with interrupts off.
//
// Where the script asks for some processes only, a PID, the target's family or those of a program, the others get no
// breakpoint: the kernel asks the filter about each process, by its memory, when the probe is registered and when
// a process maps the file. A child has the breakpoints of its parent: of the family that is right, and one that is not
// asked for loses them at its first hit. An exec gives a process new memory, so the kernel asks again.
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "../compat.h"
#include "../uprobe.h"

// --- what returns (uretprobe.c) need too ---------------------------------------------------------------------------

static bool is_instruction_prefix(u8 byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64 ... 0x66:
	case 0xf2:
	case 0xf3: return true;
	}
	return (byte & 0xf0) == 0x40; // REX
}

// How many bytes an operand in memory or a register takes, ModRM and what follows (Intel SDM, volume 2, 2.1.5).
static u32 operand_size(const u8 *modrm)
{
	const u8 mod = *modrm >> 6, rm = *modrm & 7;
	const bool has_sib = mod != 3 && rm == 4;

	if (mod == 1)
		return 2 + has_sib;
	if (mod == 2 || (mod == 0 && (rm == 5 || (has_sib && (modrm[1] & 7) == 5))))
		return 5 + has_sib;
	return 1 + has_sib;
}

// Does it load a register's own value into it?
static bool is_lea_of_itself(const u8 *modrm)
{
	const u8 mod = *modrm >> 6, rm = *modrm & 7, reg = *modrm >> 3 & 7;

	if (mod != 1)
		return false;
	return rm == 4 ? modrm[1] == (0x20 | reg) && !modrm[2] : rm == reg && !modrm[1];
}

// Is the instruction there five bytes long, and does it do nothing? Whatever the kernel may take for that.
static bool is_long_nop(u64 code)
{
	static const u8 jump_to_next[] = {0xe9, 0, 0, 0, 0};
	u8 bytes[sizeof(code) + 4] = {};
	const u8 *op = bytes;

	memcpy(bytes, &code, sizeof(code));
	if (!memcmp(bytes, jump_to_next, sizeof(jump_to_next)))
		return true;
	while (op < bytes + 4 && is_instruction_prefix(*op))
		op++;
	if (*op == 0x90)
		return op == bytes + 4;
	if (*op == 0x8d)
		return op + 1 + operand_size(op + 1) == bytes + 5 && is_lea_of_itself(op + 1);
	if (op[0] == 0x0f && (op[1] == 0x1f || op[1] == 0x1e || op[1] == 0x18 || op[1] == 0x0d))
		return op + 2 + operand_size(op + 2) == bytes + 5;
	return false;
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

static bool runs_executable(const struct uprobe_at *at, const struct mm_struct *mm)
{
	return !at->executable || program_of_mm(mm) == file_inode(at->executable);
}

static bool asked_for(const struct uprobe_at *at, const struct task_struct *task)
{
	return target_includes(task) && (!at->place->pid || task->tgid == at->place->pid);
}

bool uprobe_at_wanted(const struct uprobe_at *at)
{
	return asked_for(at, current) && runs_executable(at, current->mm);
}

// Whose memory is it? A process that is just being made is not known to anybody yet, so it counts as asked for; so does
// one whose owner is not known. May they have the breakpoint: the hit asks once more.
static bool may_be_wanted(const struct uprobe_at *at, struct mm_struct *mm)
{
	const struct task_struct *owner;
	bool wanted;

	rcu_read_lock();
	owner = compat_mm_owner(mm);
	wanted = !owner || compat_task_is_new(owner) || asked_for(at, owner);
	rcu_read_unlock();
	return wanted && runs_executable(at, mm);
}

static bool uprobe_filter(struct uprobe_consumer *consumer, COMPAT_UPROBE_FILTER_CONTEXT struct mm_struct *mm)
{
	return may_be_wanted(container_of(consumer, struct uprobe_at, consumer), mm);
}

// The memory may be another process's too, as after a vfork, who is asked for.
int uprobe_at_unwanted(const struct uprobe_at *at)
{
	struct mm_struct *mm = current->mm;

	if (atomic_read(&mm->mm_users) > get_nr_threads(current) || may_be_wanted(at, mm))
		return COMPAT_UPROBE_IGNORE;
	return UPROBE_HANDLER_REMOVE;
}

int uprobe_at_register(struct uprobe_at *at, const struct stap_probe *p, const struct stap_file_place *place)
{
	int rc = processes_follow(false);

	at->probe = p;
	at->place = place;
	at->consumer.filter = uprobe_filter;
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

	if (!uprobe_at_wanted(at))
		return uprobe_at_unwanted(at);
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
