// SPDX-License-Identifier: GPL-2.0-or-later
// Where the kernel and its modules lie: offsets of the script become addresses by the table the loader passes.
//
// The loader is privileged, but what it says is still checked where it can be: build-ids are read
// at these addresses (buildid.c), and kprobes refuse what is no kernel text.
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "kernel.h"

#define MAX_SECTIONS  1024
#define NOTES_SECTION ".note.gnu.build-id"

static u64 kernel_text;
static struct stap_ioc_module *sections;
static u32 section_count;

struct stap_ioc_module *addresses_copy(const struct stap_ioc_start *start)
{
	struct stap_ioc_module *copy;
	u32 i;

	if (start->module_count > MAX_SECTIONS)
		return ERR_PTR(-EINVAL);
	if (!start->module_count)
		return NULL;
	copy = vmemdup_user((const void __user *)(unsigned long)start->modules, start->module_count * sizeof(*copy));
	if (IS_ERR(copy))
		return copy;
	for (i = 0; i < start->module_count; i++) {
		copy[i].name[sizeof(copy[i].name) - 1] = '\0';
		copy[i].section[sizeof(copy[i].section) - 1] = '\0';
	}
	return copy;
}

void addresses_set(u64 text, struct stap_ioc_module *table, u32 count)
{
	addresses_free();
	kernel_text = text;
	sections = table;
	section_count = count;
}

void addresses_free(void)
{
	kvfree(sections);
	sections = NULL;
	section_count = 0;
	kernel_text = 0;
}

// The kernel writes '_' for '-' in a module's name; debuginfo may have either.
static bool same_module(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
			return false;
	return *a == *b;
}

u64 addresses_find(const char *module, const char *section, u64 offset)
{
	u32 i;

	if (addresses_is_kernel(module))
		return kernel_text ? kernel_text + offset : 0;
	for (i = 0; i < section_count; i++)
		if (same_module(sections[i].name, module) && !strcmp(sections[i].section, section ?: ".text"))
			return sections[i].address ? sections[i].address + offset : 0;
	return 0;
}

u64 place_address(const struct stap_code_place *place)
{
	if (place->address)
		return place->address;
	return place->symbol ? 0 : addresses_find(place->module, place->section, place->offset);
}

void addresses_resolve_symbols(struct stap_program *p)
{
	u32 i;

	for (i = 0; i < p->symbol_count; i++) {
		struct stap_symbol *s = &p->symbols[i];

		s->address = addresses_find(s->module, s->section, s->offset);
	}
}

// The i-th use of a module section in the program: build-ids first, then probes, then symbols. False: past the end.
static bool nth_use(const struct stap_program *p, u32 i, const char **module, const char **section)
{
	if (i < p->module_count) {
		*module = p->modules[i].module;
		*section = NOTES_SECTION;
		return true;
	}
	i -= p->module_count;
	if (i < p->probe_count) {
		const struct stap_code_place *place = stap_probe_place(&p->probes[i]);

		*module = place ? place->module : NULL;
		*section = place && place->section ? place->section : ".text";
		return true;
	}
	i -= p->probe_count;
	if (i < p->symbol_count) {
		*module = p->symbols[i].module;
		*section = p->symbols[i].section ?: ".text";
		return true;
	}
	return false;
}

// The first use of each section that is no part of the kernel, and of no more sections than addresses_copy() takes.
static u32 needed[MAX_SECTIONS];
static u32 needed_count;
static bool needed_found;

// Uses of a section lie together: the last ones that were found are compared first.
static bool is_needed_already(const struct stap_program *p, const char *module, const char *section)
{
	const char *m, *s;
	u32 i;

	for (i = needed_count; i > 0; i--)
		if (nth_use(p, needed[i - 1], &m, &s) && same_module(m, module) && !strcmp(s, section))
			return true;
	return false;
}

static void find_needed(const struct stap_program *p)
{
	const char *module, *section;
	u32 i;

	for (i = 0; needed_count < MAX_SECTIONS && nth_use(p, i, &module, &section); i++)
		if (!addresses_is_kernel(module) && !is_needed_already(p, module, section))
			needed[needed_count++] = i;
	needed_found = true;
}

int addresses_needed(const struct stap_program *p, u32 index, struct stap_ioc_section *out)
{
	const char *module, *section;

	if (!needed_found)
		find_needed(p);
	if (index >= needed_count || !nth_use(p, needed[index], &module, &section))
		return -ENOENT;
	strscpy(out->name, module, sizeof(out->name));
	strscpy(out->section, section, sizeof(out->section));
	return 0;
}
