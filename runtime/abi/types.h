// SPDX-License-Identifier: GPL-2.0-or-later
// Fixed-width types and compiler hints for emitted C, the core and both hosts; needs no system header.
#ifndef STAP_ABI_TYPES_H
#define STAP_ABI_TYPES_H

// The kernel's own headers define the same names with the same meaning; a file
// that needs both includes the kernel's first. (In a process the header of that
// guard is another one, without these names.)
#if !defined(__KERNEL__) || !defined(_LINUX_TYPES_H)
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
#endif

// The script language's integer: 64 bits, two's complement, arithmetic wraps.
typedef s64 stap_long;

#define STAP_NULL         ((void *)0)
#define STAP_LIKELY(x)    __builtin_expect(!!(x), 1)
#define STAP_UNLIKELY(x)  __builtin_expect(!!(x), 0)
#define STAP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

// A string value: a slice that does not own its bytes and is not NUL terminated.
// It points into a constant, or into the context's arena (valid until the
// temporaries are released, see context.h).
struct stap_str {
	const char *ptr;
	u32 len;
};

#define STAP_STR(literal) ((struct stap_str){(literal), sizeof(literal) - 1})

#endif
