// SPDX-License-Identifier: GPL-2.0-or-later
// Fault-safe access to kernel and user memory, C formats. Any context; nothing is paged in.
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/fsgsbase.h>
#include "kernel.h"

u32 host_format(char *out, u32 size, const char *format, __builtin_va_list args)
{
	return (u32)vscnprintf(out, size, format, args);
}

// Can the kernel have memory there? An access to what is no address faults in another way, of which the kernel warns,
// and its own check goes by the processor's width of addresses: a kernel that was told to use less of it (no5lvl) takes
// too much for an address.
static bool is_kernel_address(u64 address)
{
	return address >= ~0ull << __VIRTUAL_MASK_SHIFT;
}

int host_read_kernel(void *to, u64 from, u32 size)
{
	return !is_kernel_address(from) || copy_from_kernel_nofault(to, (const void *)(unsigned long)from, size) != 0;
}

// A kernel thread has no user memory: what is mapped while it runs is left from whatever process ran before it.
static bool has_user_memory(void)
{
	return current->mm;
}

int host_read_user(void *to, u64 from, u32 size)
{
	return !has_user_memory() || copy_from_user_nofault(to, (const void __user *)(unsigned long)from, size) != 0;
}

// copy_to_kernel_nofault() is not exported; this is what it does for one word.
int host_write_kernel(u64 to, u64 value, u32 size)
{
	void *address = (void *)(unsigned long)to;
	u64 v8 = value;
	u32 v4 = (u32)value;
	u16 v2 = (u16)value;
	u8 v1 = (u8)value;

	if (!is_kernel_address(to))
		return -EFAULT;
	pagefault_disable();
	switch (size) {
	case 1: __put_kernel_nofault(address, &v1, u8, fault); break;
	case 2: __put_kernel_nofault(address, &v2, u16, fault); break;
	case 4: __put_kernel_nofault(address, &v4, u32, fault); break;
	case 8: __put_kernel_nofault(address, &v8, u64, fault); break;
	}
	pagefault_enable();
	return 0;
fault:
	pagefault_enable();
	return -EFAULT;
}

int host_write_user(u64 to, u64 value, u32 size)
{
	return !has_user_memory() || copy_to_user_nofault((void __user *)(unsigned long)to, &value, size) != 0;
}

// The kernel leaves the process's fs base in the register, which user code may change without telling it.
int host_thread_pointer(u64 *pointer)
{
	if (!has_user_memory())
		return -ESRCH;
	*pointer = x86_fsbase_read_cpu();
	return 0;
}
