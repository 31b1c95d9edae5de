// SPDX-License-Identifier: GPL-2.0-or-later
// Exceptions through functions whose returns are followed: the unwinder must find its way.
//
// The kernel follows a call by putting its own address where the return address stood. A language's unwinder goes up
// the stack by return addresses, does not know that one, and takes it for the end of the stack: an exception that
// somebody catches would end the process. So a probe of our own is on the functions in which unwinding begins, and puts
// all return addresses of the thread back. The script is told how many: a call that the exception does not leave
// returns unseen.
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>
#include "compat.h"
#include "uprobe.h"

#define MAX_UNWINDERS 16

struct unwinder {
	struct uprobe_at at;
	unsigned long lost; // calls that are followed no longer
};

static struct unwinder unwinders[MAX_UNWINDERS];
static u32 unwinder_count;

// Is it the page of this process to which calls return that are followed? It lies in a mapping of no file, which the
// kernel made and which children don't get.
static bool is_trampoline(unsigned long address)
{
	const struct vm_area_struct *vma;
	bool is_it;

	mmap_read_lock(current->mm);
	vma = find_vma(current->mm, address);
	is_it = vma && vma->vm_start == address && !vma->vm_file &&
		(vma->vm_flags & (VM_EXEC | VM_DONTCOPY)) == (VM_EXEC | VM_DONTCOPY);
	mmap_read_unlock(current->mm);
	return is_it;
}

// The latest call comes first. Where tail calls have led from one to another, they share the place on the stack, and
// the first of them, which comes last, knows the return address.
static u32 put_return_addresses_back(unsigned long stack)
{
	const struct return_instance *ri = current->utask ? current->utask->return_instances : NULL;
	unsigned long trampoline = 0, there;
	u32 n = 0;

	for (; ri; ri = ri->next) {
		if (ri->stack < stack || host_read_user(&there, ri->stack, sizeof(there)))
			continue;
		if (ri->chained || (there != trampoline && !is_trampoline(there)))
			continue;
		trampoline = there;
		n += !host_write_user(ri->stack, ri->orig_ret_vaddr, sizeof(there));
	}
	return n;
}

static int unwinding_begins(struct uprobe_consumer *consumer, struct pt_regs *regs COMPAT_UPROBE_DATA)
{
	struct unwinder *u = container_of(consumer, struct unwinder, at.consumer);
	u32 lost = put_return_addresses_back(regs->sp);

	if (lost)
		__atomic_fetch_add(&u->lost, lost, __ATOMIC_RELAXED);
	return 0;
}

static bool is_same_place(const struct stap_file_place *a, const struct stap_file_place *b)
{
	return a->offset == b->offset && a->pid == b->pid && !strcmp(a->path, b->path) &&
	       !strcmp(a->executable ?: "", b->executable ?: "");
}

int unwinder_guard(const struct stap_probe *p, const struct stap_file_place *place)
{
	struct unwinder *u;
	u32 i;
	int rc;

	if (!place->path)
		return 0;
	for (i = 0; i < unwinder_count; i++)
		if (is_same_place(unwinders[i].at.place, place))
			return 0;
	if (unwinder_count == MAX_UNWINDERS)
		return -ENOSPC;
	u = &unwinders[unwinder_count];
	*u = (struct unwinder){.at = {.consumer = {.handler = unwinding_begins}}};
	rc = uprobe_at_register(&u->at, p, place);
	unwinder_count += !rc;
	return rc;
}

void unwinder_unguard(void)
{
	u32 i;

	for (i = 0; i < unwinder_count; i++)
		uprobe_at_unregister(&unwinders[i].at);
	uprobe_at_wait();
	for (i = 0; i < unwinder_count; i++) {
		uprobe_at_close(&unwinders[i].at);
		if (unwinders[i].lost)
			report(&stap_program, STAP_RECORD_WARN,
			       "%lu calls were followed no longer when an exception was thrown; "
			       "those that it did not leave have returned unseen",
			       unwinders[i].lost);
	}
	unwinder_count = 0;
}
