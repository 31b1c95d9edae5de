// SPDX-License-Identifier: GPL-2.0-or-later
// The smallest script: kbuild compiles it with the runtime once, and how it did that is replayed for every script.
//
// What compilers call on their own account is named here, so that modpost resolves it (and records its version) for all
// scripts: memory functions and the thunks that indirect calls and the stack protector use.
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

struct stap_program stap_program = {
	.abi_version = STAP_ABI_VERSION,
	.name = "template",
};
