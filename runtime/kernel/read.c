// SPDX-License-Identifier: GPL-2.0-or-later
// Fault-safe reads of kernel and user memory. Any context; nothing is paged in.
#include <linux/uaccess.h>
#include "kernel.h"

int host_read_kernel(void *to, u64 from, u32 size)
{
	return copy_from_kernel_nofault(to, (const void *)(unsigned long)from, size) != 0;
}

int host_read_user(void *to, u64 from, u32 size)
{
	return copy_from_user_nofault(to, (const void __user *)(unsigned long)from, size) != 0;
}
