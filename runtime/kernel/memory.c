// SPDX-License-Identifier: GPL-2.0-or-later
// Memory of a session: all of it is taken before the script starts and given back when its file is closed.
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "kernel.h"

void *host_alloc(u64 size)
{
	if (size > totalram_pages() * (u64)PAGE_SIZE)
		return NULL;
	if (size <= PAGE_SIZE)
		return kzalloc(size, GFP_KERNEL);
	// Not kvzalloc: it fails from 2 GiB on, and big arrays are a user's right. No OOM kill for them either.
	return __vmalloc(size, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
}

void host_free(void *p, u64 size)
{
	kvfree(p);
}

void *host_shared_alloc(u64 size)
{
	if (size > totalram_pages() * (u64)PAGE_SIZE)
		return NULL;
	return vmalloc_user(PAGE_ALIGN(size));
}

void host_shared_free(void *p, u64 size)
{
	vfree(p);
}
