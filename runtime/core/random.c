// SPDX-License-Identifier: GPL-2.0-or-later
// Random numbers for randint() and its like: a generator in each context, since a kernel's own take locks.
#include "core.h"

// splitmix64 (Steele, Lea, Flood 2014), begun with the context's cycle counter.
stap_long stap_random(struct stap_ctx *c, stap_long below)
{
	u64 z;

	if (below <= 0)
		return 0;
	if (!c->random)
		c->random = host_cycles() * 0x9e3779b97f4a7c15ull + (u64)(unsigned long)c;
	c->random += 0x9e3779b97f4a7c15ull;
	z = (c->random ^ (c->random >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	z ^= z >> 31;
	// The high half of a product is uniform enough for any bound that a script asks for.
	return (stap_long)(((unsigned __int128)z * (u64)below) >> 64);
}
