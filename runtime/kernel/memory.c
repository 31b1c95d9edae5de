// SPDX-License-Identifier: GPL-2.0-or-later
// Memory of a session: all of it is taken before the script starts and given back when its file is closed.
//
// Tracing may be refused for want of memory, but must not cost another program its life. So what would leave the
// machine too little is not asked for; what is asked for is charged to the caller's memory cgroup, and fails rather
// than call the OOM killer, the machine's or the cgroup's.
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "compat.h"
#include "kernel.h"

#define MAX_RESERVE   SZ_4G
#define PAGES_AT_ONCE 32ul

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

int host_shared_reserve(u64 size)
{
	return 0;
}

void *host_shared_alloc(u64 offset, u64 size)
{
	return allocate(size, COMPAT_GFP_MAPPABLE);
}

void host_shared_free(void *p, u64 size)
{
	vfree(p);
}

void host_shared_release(u64 size)
{
}

// The reader touched a page of the area for the first time: maps it, and what is there of those that it will want next.
static vm_fault_t shared_fault(struct vm_fault *vmf)
{
	unsigned long at = vmf->address & PAGE_MASK, count = 0;
	unsigned long wanted = min((vmf->vma->vm_end - at) >> PAGE_SHIFT, PAGES_AT_ONCE);
	struct page *pages[PAGES_AT_ONCE];
	void *page;

	for (; count < wanted; count++) {
		page = stap_session_page((u64)(vmf->pgoff + count) << PAGE_SHIFT);
		if (!page)
			break;
		pages[count] = vmalloc_to_page(page);
	}
	switch (count ? vm_insert_pages(vmf->vma, at, pages, &count) : -EFAULT) {
	case 0:
	case -EBUSY: return VM_FAULT_NOPAGE; // one of them is mapped: the first, by another thread, or one behind it
	case -ENOMEM: return VM_FAULT_OOM;
	}
	return VM_FAULT_SIGBUS;
}

static const struct vm_operations_struct shared_operations = {.fault = shared_fault};

int host_shared_map(struct vm_area_struct *vma, u64 size)
{
	unsigned long pages = PAGE_ALIGN(size) >> PAGE_SHIFT;

	if (!(vma->vm_flags & VM_SHARED) || vma->vm_pgoff > pages || vma_pages(vma) > pages - vma->vm_pgoff)
		return -EINVAL;
	compat_vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP | VM_MIXEDMAP);
	vma->vm_ops = &shared_operations;
	return 0;
}
