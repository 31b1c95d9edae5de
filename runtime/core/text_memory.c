// SPDX-License-Identifier: GPL-2.0-or-later
// Reads buffers that may hold zero bytes, for the tapset's quoted-buffer functions.
#include "core.h"
#include "../abi/text.h"

static u32 bounded(stap_long length)
{
	u32 max = stap_core.program->limits.max_string_len - 1;

	if (length <= 0)
		return 0;
	return length < (stap_long)max ? (u32)length : max;
}

struct stap_str stap_text_kread(struct stap_ctx *c, u64 address, stap_long length)
{
	u32 n = bounded(length);
	char *to = n ? stap_temp_alloc(c, n) : STAP_NULL;

	if (!to)
		return STAP_STR("");
	if (!host_read_kernel(to, address, n))
		return (struct stap_str){to, n};
	// Finds the byte that faults, for the message.
	for (u32 i = 0; i < n && !c->failed; i++)
		to[i] = (char)stap_kread(c, address + i, 1, 0);
	return c->failed ? STAP_STR("") : (struct stap_str){to, n};
}

struct stap_str stap_text_uread(struct stap_ctx *c, u64 address, stap_long length)
{
	u32 n = bounded(length);
	char *to = n ? stap_temp_alloc(c, n) : STAP_NULL;

	if (!to)
		return STAP_STR("");
	if (!host_read_user(to, address, n))
		return (struct stap_str){to, n};
	for (u32 i = 0; i < n && !c->failed; i++)
		to[i] = (char)stap_uread(c, address + i, 1, 0);
	return c->failed ? STAP_STR("") : (struct stap_str){to, n};
}
