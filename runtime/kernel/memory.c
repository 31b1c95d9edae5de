// SPDX-License-Identifier: GPL-2.0-or-later
// Memory of a session: all of it is taken before the script starts and given back when its file is closed.
//
// Tracing may be refused for want of memory, but must not cost another program its life. So what would leave the
// machine too little is not asked for; what is asked for is charged to the caller's memory cgroup, and fails rather
// than call the OOM killer, the machine's or the cgroup's.
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "compat.h"
#include "kernel.h"

#define MAX_RESERVE SZ_4G

// An eighth of the machine's memory stays free, so far as it is when the script is loaded.
static bool fits(u64 size)
{
	u64 reserve = min_t(u64, totalram_pages() / 8, MAX_RESERVE / PAGE_SIZE);
	u64 available = max_t(long, si_mem_available(), 0);

	return available > reserve && size <= (available - reserve) * PAGE_SIZE;
}

// Not kvzalloc: it fails from 2 GiB on, and big arrays are a user's right.
static void *allocate(u64 size, gfp_t charged)
{
	return fits(size) ? __vmalloc(size, charged | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL) : NULL;
}

void *host_alloc(u64 size)
{
	if (size <= PAGE_SIZE)
		return kzalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	return allocate(size, GFP_KERNEL_ACCOUNT);
}

void host_free(void *p, u64 size)
{
	kvfree(p);
}

u64 host_available_memory(void)
{
	return (u64)max_t(long, si_mem_available(), 0) * PAGE_SIZE;
}

void *host_shared_alloc(u64 size)
{
	return allocate(PAGE_ALIGN(size), COMPAT_GFP_MAPPABLE);
}

void host_shared_free(void *p, u64 size)
{
	vfree(p);
}

int host_shared_map(struct vm_area_struct *vma, void *area, u64 size)
{
	unsigned long count = vma_pages(vma), at = vma->vm_start, pages = PAGE_ALIGN(size) >> PAGE_SHIFT;
	int rc = 0;

	if (!(vma->vm_flags & VM_SHARED) || vma->vm_pgoff > pages || count > pages - vma->vm_pgoff)
		return -EINVAL;
	compat_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	area += vma->vm_pgoff << PAGE_SHIFT;
	for (; count && !rc; count--, at += PAGE_SIZE, area += PAGE_SIZE)
		rc = fatal_signal_pending(current) ? -EINTR : vm_insert_page(vma, at, vmalloc_to_page(area));
	return rc;
}
