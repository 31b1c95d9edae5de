// SPDX-License-Identifier: GPL-2.0-or-later
// The smallest script: kbuild compiles it with the runtime once, and how it did that is replayed for every script.
//
// What compilers call on their own account is named here, so that modpost resolves it (and records its version) for all
// scripts: memory functions, the thunks that indirect calls and the stack protector use, and the calls that a kernel
// which checks itself has put in.
#include "stap.h"

void *memcpy(void *, const void *, unsigned long);
void *memmove(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);
unsigned long strlen(const char *);

#define KEEP(name) static void *const keep_##name __attribute__((used)) = (void *)name;
KEEP(memcpy)
KEEP(memmove)
KEEP(memset)
KEEP(memcmp)
KEEP(strlen)

#ifdef CONFIG_STACKPROTECTOR
void __stack_chk_fail(void);
KEEP(__stack_chk_fail)
#endif

#if defined(CONFIG_RETPOLINE) || defined(CONFIG_MITIGATION_RETPOLINE)
#define KEEP_THUNK(reg)                        \
	void __x86_indirect_thunk_##reg(void); \
	KEEP(__x86_indirect_thunk_##reg)
KEEP_THUNK(rax)
KEEP_THUNK(rbx)
KEEP_THUNK(rcx)
KEEP_THUNK(rdx)
KEEP_THUNK(rsi)
KEEP_THUNK(rdi)
KEEP_THUNK(rbp)
KEEP_THUNK(r8)
KEEP_THUNK(r9)
KEEP_THUNK(r10)
KEEP_THUNK(r11)
KEEP_THUNK(r12)
KEEP_THUNK(r13)
KEEP_THUNK(r14)
KEEP_THUNK(r15)
#endif

// Which of these a kernel has depends on its version.
#define KEEP_CHECK(name)                                                 \
	extern char check_##name[] __asm__(#name) __attribute__((weak)); \
	static void *const keep_##name __attribute__((used)) = (void *)check_##name;
#define KEEP_SIZES(before, after)    \
	KEEP_CHECK(before##1##after) \
	KEEP_CHECK(before##2##after) \
	KEEP_CHECK(before##4##after) \
	KEEP_CHECK(before##8##after) \
	KEEP_CHECK(before##16##after)

#ifdef CONFIG_KASAN
KEEP_SIZES(__asan_load, _noabort)
KEEP_SIZES(__asan_store, _noabort)
KEEP_SIZES(__asan_report_load, _noabort)
KEEP_SIZES(__asan_report_store, _noabort)
KEEP_CHECK(__asan_loadN_noabort)
KEEP_CHECK(__asan_storeN_noabort)
KEEP_CHECK(__asan_report_load_n_noabort)
KEEP_CHECK(__asan_report_store_n_noabort)
KEEP_CHECK(__asan_handle_no_return)
KEEP_CHECK(__asan_alloca_poison)
KEEP_CHECK(__asan_allocas_unpoison)
KEEP_CHECK(__asan_memcpy)
KEEP_CHECK(__asan_memmove)
KEEP_CHECK(__asan_memset)
KEEP_CHECK(__asan_register_globals)
KEEP_CHECK(__asan_unregister_globals)
#endif

#ifdef CONFIG_KCSAN
#define KEEP_ATOMICS(bits)                                        \
	KEEP_CHECK(__tsan_atomic##bits##_load)                    \
	KEEP_CHECK(__tsan_atomic##bits##_store)                   \
	KEEP_CHECK(__tsan_atomic##bits##_exchange)                \
	KEEP_CHECK(__tsan_atomic##bits##_fetch_add)               \
	KEEP_CHECK(__tsan_atomic##bits##_fetch_sub)               \
	KEEP_CHECK(__tsan_atomic##bits##_fetch_and)               \
	KEEP_CHECK(__tsan_atomic##bits##_fetch_or)                \
	KEEP_CHECK(__tsan_atomic##bits##_fetch_xor)               \
	KEEP_CHECK(__tsan_atomic##bits##_compare_exchange_strong) \
	KEEP_CHECK(__tsan_atomic##bits##_compare_exchange_weak)
KEEP_SIZES(__tsan_read, )
KEEP_SIZES(__tsan_write, )
KEEP_SIZES(__tsan_read_write, )
KEEP_SIZES(__tsan_volatile_read, )
KEEP_SIZES(__tsan_volatile_write, )
KEEP_SIZES(__tsan_unaligned_read, )
KEEP_SIZES(__tsan_unaligned_write, )
KEEP_SIZES(__tsan_unaligned_volatile_read, )
KEEP_SIZES(__tsan_unaligned_volatile_write, )
KEEP_CHECK(__tsan_read_range)
KEEP_CHECK(__tsan_write_range)
KEEP_CHECK(__tsan_func_entry)
KEEP_CHECK(__tsan_func_exit)
KEEP_CHECK(__tsan_init)
KEEP_CHECK(__tsan_memcpy)
KEEP_CHECK(__tsan_memmove)
KEEP_CHECK(__tsan_memset)
KEEP_CHECK(__tsan_atomic_thread_fence)
KEEP_CHECK(__tsan_atomic_signal_fence)
KEEP_ATOMICS(8)
KEEP_ATOMICS(16)
KEEP_ATOMICS(32)
KEEP_ATOMICS(64)
#endif

#ifdef CONFIG_UBSAN
KEEP_CHECK(__ubsan_handle_out_of_bounds)
KEEP_CHECK(__ubsan_handle_shift_out_of_bounds)
KEEP_CHECK(__ubsan_handle_divrem_overflow)
KEEP_CHECK(__ubsan_handle_load_invalid_value)
KEEP_CHECK(__ubsan_handle_builtin_unreachable)
KEEP_CHECK(__ubsan_handle_type_mismatch)
KEEP_CHECK(__ubsan_handle_type_mismatch_v1)
#endif

struct stap_program stap_program = {
	.abi_version = STAP_ABI_VERSION,
	.name = "template",
};
