// SPDX-License-Identifier: GPL-2.0-or-later
// Fault-safe reads of kernel and user memory; C formats. Any context; nothing is paged in.
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include "kernel.h"

u32 host_format(char *out, u32 size, const char *format, __builtin_va_list args)
{
	return (u32)vscnprintf(out, size, format, args);
}

int host_read_kernel(void *to, u64 from, u32 size)
{
	return copy_from_kernel_nofault(to, (const void *)(unsigned long)from, size) != 0;
}

int host_read_user(void *to, u64 from, u32 size)
{
	return copy_from_user_nofault(to, (const void __user *)(unsigned long)from, size) != 0;
}
