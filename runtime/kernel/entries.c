// SPDX-License-Identifier: GPL-2.0-or-later
// Probes at functions' entries: one ftrace handler for all of a script's, however many there are.
//
// A kprobe at a function's entry is served by ftrace too, but each is armed for itself, and for each of them the kernel
// goes over its records of all functions. Here all entries are put into one filter, and armed in one go. At a hit the
// address of ftrace's call, which the compiler puts at a function's beginning, leads to the probes on it by a hash
// table.
//
// Mechanisms hand over an entry for each probe (entries_add) before any is attached. When the first is attached the
// handler is registered for all. Those of a module that is not loaded are handed over when it comes, and taken back
// before it goes (modules.c). What ftrace refuses is left to the mechanism, which uses a kprobe then: notrace
// functions, and places that only look like an entry.
//
// A hit in the middle of another one (the runtime calls a function that is probed) finds the CPU's context busy, and is
// counted as nested. Nothing that ftrace knows is called before that is looked at; and a hit that waits for a lock does
// not wait in the middle of another's waiting (host_wait_begin). When the handler has been unregistered nobody runs it
// any more: the kernel waits for tasks and processors that might.
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/gcd.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include "compat.h"
#include "kernel.h"

#ifdef CONFIG_KPROBES_ON_FTRACE

// The compiler's call at a function's entry is 5 bytes: a no-op as long as nobody traces the function. Where jumps are
// checked (IBT) a marker of 4 bytes is before it, which the kernel may have overwritten.
#define ENTRY_CALL   0xe8
#define ENTRY_MARKER 4

static struct entry *added, **last_added = &added; // those that are not in the table, in the order of attaching
static u32 added_count, expected_count;

// The table: each line is a chain of the first entries at the addresses in it. Hits read it without a lock, also while
// entries come and go with their modules. An entry is not freed before the script ends, and one that is taken out keeps
// its ways on, for those that are just looking at it, until it is added again.
static struct entry **table;
static u32 table_bits, table_count;

static struct ftrace_ops entries_ops;
static enum { NOT_TRIED, REGISTERED, NOT_REGISTERED } entries_state;

static struct entry *entry_at(unsigned long ip)
{
	struct entry *e = READ_ONCE(table[hash_long(ip, table_bits)]);

	while (e && READ_ONCE(e->ip) != ip)
		e = READ_ONCE(e->chain);
	return e;
}

static void entry_hit(const struct entry *e, struct pt_regs *regs)
{
	struct stap_event event = {.regs = as_stap_regs(regs)};

	stap_hit(e->probe, &event);
}

// Of each function with probes at its entry; any context. The kernel goes on at regs->ip, so that is put back.
static notrace void function_entered(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				     compat_ftrace_regs *fregs)
{
	struct pt_regs *regs = compat_ftrace_get_regs(fregs);
	const struct entry *e = entry_at(ip);
	unsigned long next_ip;

	if (!regs)
		return; // it was asked for them
	next_ip = regs->ip;
	for (; e; e = e->next) {
		regs->ip = e->address;
		if (e->returns)
			return_follow(e, regs);
		else
			entry_hit(e, regs);
	}
	regs->ip = next_ip;
}

// --- what a hit costs ----------------------------------------------------------------------------------------------

// Two functions that ftrace knows, exported since ever, without effect, and called by nobody in a hurry. The first
// is always among those that are traced: a filter that has become empty would mean all functions.
static void call_entered(void)
{
	mktime64(1970, 1, 1, 0, 0, 0);
}

static void call_followed(void)
{
	asm volatile("" : : "r"(gcd(1, 1))); // the compiler would leave out a call whose result nobody wants
}

static struct entry_cost {
	struct entry entry;
	unsigned long address;
	void (*call)(void);
	u32 without, cycles; // of a call
} costs[] = {
	{.address = (unsigned long)mktime64, .call = call_entered},
	{.address = (unsigned long)gcd, .call = call_followed},
};

static void cost_before(struct entry_cost *c)
{
	c->without = cost_wanted() ? cost_of_call(c->call) : 0;
}

static void cost_after(struct entry_cost *c)
{
	c->cycles =
		entry_is_served(&c->entry) && cost_wanted() ? max(cost_of_call(c->call), c->without) - c->without : 0;
}

u32 entry_cost(const struct entry *e)
{
	return costs[e->returns ? 1 : 0].cycles;
}

// --- where ftrace's call is ----------------------------------------------------------------------------------------

static bool is_marker(const u8 *code)
{
	static const u8 markers[][ENTRY_MARKER] = {
		{0xf3, 0x0f, 0x1e, 0xfa}, {0x66, 0x0f, 0x1f, 0x00}, {0x0f, 0x1f, 0x40, 0x00}, {0x0f, 0x1f, 0x40, 0xd6}};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(markers); i++)
		if (!memcmp(code, markers[i], ENTRY_MARKER))
			return true;
	return false;
}

// Any call looks like ftrace's in a function that is traced already, so there the place must begin a function.
static bool looks_like_entry(const u8 *code, unsigned long address)
{
	static const u8 nop[] = {0x0f, 0x1f, 0x44, 0x00, 0x00};
	char name[KSYM_SYMBOL_LEN];

	if (code[0] != ENTRY_CALL)
		return !memcmp(code, nop, sizeof(nop));
	sprint_symbol(name, address);
	return strstr(name, "+0x0/") != NULL;
}

void entries_expect(u32 count)
{
	expected_count += count;
}

void entries_add(struct entry *e, const struct stap_probe *p, unsigned long address)
{
	u8 code[ENTRY_MARKER + 5];
	unsigned long ip = 0;

	e->probe = p;
	e->address = address;
	if (host_read_kernel(code, address, sizeof(code)))
		return;
	if (looks_like_entry(code, address))
		ip = address;
	else if (is_marker(code) && looks_like_entry(code + ENTRY_MARKER, address))
		ip = address + ENTRY_MARKER;
	if (!ip)
		return;
	WRITE_ONCE(e->ip, ip);
	e->next = e->chain = e->following = NULL;
	e->served = e->unfiltered = false;
	*last_added = e;
	last_added = &e->following;
	added_count++;
}

// --- the table -----------------------------------------------------------------------------------------------------

// True: it is the first one at its address.
static bool table_insert(struct entry *e)
{
	struct entry **line = &table[hash_long(e->ip, table_bits)], *same = entry_at(e->ip);

	table_count++;
	if (!same) {
		e->chain = *line;
		smp_store_release(line, e);
		return true;
	}
	while (same->next)
		same = same->next;
	smp_store_release(&same->next, e);
	return false;
}

// Takes all entries at an address out. Whoever is just looking at one goes on by the ways that it had.
static void table_remove(struct entry *gone)
{
	struct entry **at = &table[hash_long(gone->ip, table_bits)], *e;

	while (*at && *at != gone)
		at = &(*at)->chain;
	if (*at)
		WRITE_ONCE(*at, gone->chain);
	for (e = gone; e; e = e->next)
		table_count--;
}

// Moves what was added into the table, and fills `ips` with the addresses that are new there. Returns how many.
static u32 fill_table(unsigned long *ips)
{
	struct entry *e = added;
	u32 count = 0;

	for (; e; e = e->following)
		if (table_insert(e))
			ips[count++] = e->ip;
	added = NULL;
	last_added = &added;
	added_count = 0;
	return count;
}

// --- attaching -----------------------------------------------------------------------------------------------------

// Puts addresses into the filter. One that ftrace does not know spoils the call, so they are tried in halves then.
// Returns how many it has taken; `served` says that of their entries.
static u32 filter(unsigned long *ips, u32 count)
{
	struct entry *e;

	if (!count)
		return 0;
	if ((count == 1 || COMPAT_FTRACE_TAKES_MANY) && !compat_ftrace_filter(&entries_ops, ips, count, 0)) {
		while (count--)
			for (e = entry_at(ips[count]); e; e = e->next)
				e->served = true;
		return 1;
	}
	return count > 1 ? filter(ips, count / 2) | filter(ips + count / 2, count - count / 2) : 0;
}

static void serve_all(unsigned long *ips)
{
	// Every time anew: ftrace_free_filter() leaves pointers to what it frees.
	entries_ops = (struct ftrace_ops){.func = function_entered,
					  .flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT |
						   COMPAT_FTRACE_OPS_FLAGS};
	// An empty filter would be that of all functions.
	if (filter(ips, fill_table(ips)) && !register_ftrace_function(&entries_ops))
		entries_state = REGISTERED;
	else
		compat_ftrace_free_filter(&entries_ops);
}

static void register_all(void)
{
	unsigned long *ips;
	u32 i;

	entries_state = NOT_REGISTERED;
	if (!added && !expected_count)
		return;
	for (i = 0; i < ARRAY_SIZE(costs); i++) {
		cost_before(&costs[i]);
		costs[i].entry = (struct entry){.returns = i ? return_measured(&costs[i].entry) : NULL};
		if (!i || costs[i].entry.returns)
			entries_add(&costs[i].entry, &cost_no_probe, costs[i].address);
	}
	table_bits = ilog2(added_count + expected_count + 1) + 2;
	table = kvcalloc(1u << table_bits, sizeof(*table), GFP_KERNEL);
	ips = kvcalloc(added_count, sizeof(*ips), GFP_KERNEL);
	if (table && ips)
		serve_all(ips);
	kvfree(ips);
	for (i = 0; i < ARRAY_SIZE(costs); i++)
		cost_after(&costs[i]);
}

// Is one of the probes at this address armed?
static bool is_wanted(const struct entry *e)
{
	while (e && e->disarmed)
		e = e->next;
	return e;
}

// Collects the addresses that are to go into the filter, or out of it.
static u32 collect(bool wanted, unsigned long *ips)
{
	const struct entry *e;
	u32 i, count = 0;

	for (i = 0; i < 1u << table_bits; i++)
		for (e = table[i]; e; e = e->chain)
			if (e->served && e->unfiltered == wanted && is_wanted(e) == wanted)
				ips[count++] = e->ip;
	return count;
}

static int refilter(bool wanted, unsigned long *ips)
{
	const u32 count = collect(wanted, ips);
	u32 i;
	int rc;

	if (!count)
		return 0;
	rc = compat_ftrace_filter(&entries_ops, ips, count, !wanted);
	for (i = 0; i < count && !rc; i++)
		entry_at(ips[i])->unfiltered = !wanted;
	return rc;
}

int entries_rearm(void)
{
	unsigned long *ips;
	int rc;

	// The function that is never taken out keeps the filter from becoming empty.
	if (entries_state != REGISTERED || !costs[0].entry.served)
		return 0;
	ips = kvcalloc(table_count, sizeof(*ips), GFP_KERNEL);
	rc = ips ? refilter(true, ips) ?: refilter(false, ips) : -ENOMEM;
	kvfree(ips);
	return rc;
}

// Leaves what was added to kprobes.
static void forget_added(void)
{
	struct entry *e;

	for (e = added; e; e = e->following)
		e->ip = 0;
	added = NULL;
	last_added = &added;
	added_count = 0;
}

// Puts the addresses that have come into the filter; those whose probes are disarmed only for a moment, to see whether
// ftrace knows them.
void entries_serve(void)
{
	unsigned long *ips;
	bool any_disarmed = false;
	const struct entry *e;
	u32 count;

	if (!added || entries_state == NOT_TRIED)
		return;
	// The function that is never taken out keeps the filter from becoming empty.
	ips = entries_state == REGISTERED && costs[0].entry.served ? kvcalloc(added_count, sizeof(*ips), GFP_KERNEL)
								   : NULL;
	if (!ips)
		return forget_added();
	for (e = added; e; e = e->following)
		any_disarmed |= e->disarmed;
	count = fill_table(ips);
	filter(ips, count);
	kvfree(ips);
	if (any_disarmed && entries_rearm())
		host_conditions_changed();
}

// Memory that there is none of is waited for: what stays in the filter would be called at another function's address.
static void unfilter(unsigned long *ips, u32 count)
{
	while (count && compat_ftrace_filter(&entries_ops, ips, count, 1) == -ENOMEM)
		schedule_timeout_uninterruptible(1);
}

// Is it in the table as the first one at its address?
static bool leads_its_address(const struct entry *e)
{
	return e->ip && table && entry_at(e->ip) == e;
}

// Takes those without an address out of what was added.
static void clean_added(void)
{
	struct entry *e = added, *following;

	added = NULL;
	last_added = &added;
	added_count = 0;
	for (; e; e = following) {
		following = e->following;
		e->following = NULL;
		if (!e->ip)
			continue;
		*last_added = e;
		last_added = &e->following;
		added_count++;
	}
}

void entries_remove(struct entry *const *list, u32 count)
{
	static unsigned long ips[MOST_REMOVED_ENTRIES];
	u32 i, filtered = 0;

	for (i = 0; i < count; i++)
		if (entries_state == REGISTERED && leads_its_address(list[i]) && list[i]->served &&
		    !list[i]->unfiltered)
			ips[filtered++] = list[i]->ip;
	unfilter(ips, filtered);
	for (i = 0; i < count; i++)
		if (leads_its_address(list[i]))
			table_remove(list[i]);
	for (i = 0; i < count; i++) {
		WRITE_ONCE(list[i]->ip, 0);
		list[i]->served = false;
	}
	clean_added();
}

bool entry_is_served(const struct entry *e)
{
	if (entries_state == NOT_TRIED)
		register_all();
	return entries_state == REGISTERED && e->served;
}

void entries_detach(void)
{
	if (entries_state != REGISTERED)
		return;
	unregister_ftrace_function(&entries_ops);
	compat_ftrace_free_filter(&entries_ops);
	entries_state = NOT_REGISTERED;
}

void entries_release(void)
{
	entries_detach();
	kvfree(table);
	table = NULL;
	added = NULL;
	last_added = &added;
	added_count = expected_count = table_count = 0;
	entries_state = NOT_TRIED;
}

#else

void entries_expect(u32 count)
{
}

void entries_add(struct entry *e, const struct stap_probe *p, unsigned long address)
{
}

void entries_serve(void)
{
}

void entries_remove(struct entry *const *list, u32 count)
{
}

bool entry_is_served(const struct entry *e)
{
	return false;
}

u32 entry_cost(const struct entry *e)
{
	return 0;
}

int entries_rearm(void)
{
	return 0;
}

void entries_detach(void)
{
}

void entries_release(void)
{
}

#endif
