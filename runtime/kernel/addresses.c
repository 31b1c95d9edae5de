// SPDX-License-Identifier: GPL-2.0-or-later
// Where the kernel and its modules lie: offsets of the script become addresses.
//
// Sections of modules that are loaded when the script starts have the addresses that the loader passes. A module that
// comes later is asked itself (addresses_module_comes), and then what the loader says of it no longer counts.
//
// The loader is privileged, but what it says is still checked where it can be: build-ids are read
// at these addresses (buildid.c), and kprobes refuse what is no kernel text.
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/string.h>
#include "compat.h"
#include "kernel.h"

#define MAX_SECTIONS  1024
#define NOTES_SECTION ".note.gnu.build-id"

static u64 kernel_text;

// The sections of modules that the program names anything in, each once. The first is where its module's build-id is,
// if that is to be checked.
static struct needed_section {
	const char *module, *section;
	u64 address; // 0: it is not loaded
	bool told;   // by the kernel: the loader's address is outdated
} needed[MAX_SECTIONS];
static u32 needed_count;

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

// The kernel writes '_' for '-' in a module's name; debuginfo may have either.
static bool same_module(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
			return false;
	return *a == *b;
}

bool addresses_is_module(const char *module, const char *name)
{
	return !addresses_is_kernel(module) && same_module(module, name);
}

// It is freed once the module is up; the kernel goes on saying where it was.
static bool is_init(const char *section)
{
	return strstarts(section, ".init");
}

static struct needed_section *find_needed(const char *module, const char *section)
{
	u32 i;

	for (i = 0; i < needed_count; i++)
		if (same_module(needed[i].module, module) && !strcmp(needed[i].section, section))
			return &needed[i];
	return NULL;
}

void addresses_set(u64 text, const struct stap_ioc_module *table, u32 count)
{
	struct needed_section *n;
	u32 i;

	kernel_text = text;
	for (i = 0; i < count; i++) {
		n = is_init(table[i].section) ? NULL : find_needed(table[i].name, table[i].section);
		if (n && !n->told)
			n->address = table[i].address;
	}
}

void addresses_free(void)
{
	u32 i;

	for (i = 0; i < needed_count; i++)
		needed[i].address = 0;
	kernel_text = 0;
}

u64 addresses_find(const char *module, const char *section, u64 offset)
{
	const struct needed_section *n;

	if (addresses_is_kernel(module))
		return kernel_text ? kernel_text + offset : 0;
	n = find_needed(module, section ?: ".text");
	return n && n->address ? n->address + offset : 0;
}

u64 place_address(const struct stap_code_place *place)
{
	if (place->address)
		return place->address;
	return place->symbol ? 0 : addresses_find(place->module, place->section, place->offset);
}

bool addresses_is_loaded(const char *module)
{
	u32 i;

	for (i = 0; i < needed_count; i++)
		if (needed[i].address && same_module(needed[i].module, module))
			return true;
	return addresses_is_kernel(module);
}

bool addresses_has_place(const struct stap_code_place *place)
{
	if (addresses_is_kernel(place->module))
		return true;
	return place->symbol ? addresses_is_loaded(place->module) : place_address(place) != 0;
}

bool addresses_is_init(const struct stap_code_place *place)
{
	return place->section && is_init(place->section);
}

void addresses_resolve_symbols(struct stap_program *p)
{
	u32 i;

	for (i = 0; i < p->symbol_count; i++) {
		struct stap_symbol *s = &p->symbols[i];

		WRITE_ONCE(s->address, addresses_find(s->module, s->section, s->offset));
	}
}

// --- what the program needs ------------------------------------------------------------------------------------------

static void need(const char *module, const char *section)
{
	u32 i;

	if (addresses_is_kernel(module) || needed_count == MAX_SECTIONS)
		return;
	// Uses of a section lie together: the last ones that were found are compared first.
	for (i = needed_count; i > 0; i--)
		if (same_module(needed[i - 1].module, module) && !strcmp(needed[i - 1].section, section))
			return;
	needed[needed_count++] = (struct needed_section){.module = module, .section = section};
}

void addresses_init(const struct stap_program *p)
{
	const struct stap_code_place *place;
	u32 i;

	for (i = 0; i < p->module_count; i++)
		need(p->modules[i].module, NOTES_SECTION);
	for (i = 0; i < p->probe_count; i++) {
		place = stap_probe_place(&p->probes[i]);
		if (place)
			need(place->module, place->section ?: ".text");
	}
	for (i = 0; i < p->symbol_count; i++)
		need(p->symbols[i].module, p->symbols[i].section ?: ".text");
}

int addresses_needed(u32 index, struct stap_ioc_section *out)
{
	if (index >= needed_count)
		return -ENOENT;
	strscpy(out->name, needed[index].module, sizeof(out->name));
	strscpy(out->section, needed[index].section, sizeof(out->section));
	return 0;
}

// --- modules that come and go ----------------------------------------------------------------------------------------

bool addresses_needs_module(const char *module)
{
	u32 i;

	for (i = 0; i < needed_count; i++)
		if (same_module(needed[i].module, module))
			return true;
	return false;
}

bool addresses_was_told(const char *module)
{
	u32 i;

	for (i = 0; i < needed_count; i++)
		if (needed[i].told && same_module(needed[i].module, module))
			return true;
	return false;
}

void addresses_module_goes(const char *module, bool only_init)
{
	u32 i;

	for (i = 0; i < needed_count; i++)
		if (same_module(needed[i].module, module) && (!only_init || is_init(needed[i].section))) {
			needed[i].address = 0;
			needed[i].told = true;
		}
}

// The address of a section, by the symbol that stands for it; 0 when the module has no such symbol, or it lies outside
// of the module's memory. The module's symbols still have the order and the names of its file.
static u64 section_address(const struct module *module, const struct stap_anchor *a)
{
	const struct mod_kallsyms *symbols = rcu_dereference_raw(module->kallsyms);
	unsigned int i;
	u64 address;

	for (i = 0; symbols && i < symbols->num_symtab; i++) {
		if (symbols->symtab[i].st_shndx == SHN_UNDEF ||
		    strcmp(symbols->strtab + symbols->symtab[i].st_name, a->symbol))
			continue;
		address = symbols->symtab[i].st_value - a->offset;
		return within_module(address, module) ? address : 0;
	}
	return 0;
}

static void take_sections(const struct module *module, const struct stap_module_id *id, bool with_init)
{
	struct needed_section *n;
	u32 i;

	for (i = 0; i < id->anchor_count; i++) {
		n = find_needed(id->module, id->anchors[i].section);
		if (n && (with_init || !is_init(n->section)))
			n->address = section_address(module, &id->anchors[i]);
	}
}

int addresses_module_comes(const struct stap_program *p, const struct module *module, bool with_init)
{
	struct needed_section *n;
	u64 text_size, text;
	u32 i;
	int rc = 0;

	addresses_module_goes(module->name, false);
	text = (u64)compat_module_text(module, &text_size);
	n = find_needed(module->name, ".text"); // also without anchors: that the kernel looks names up in it
	if (n)
		n->address = text;
	for (i = 0; i < p->module_count && !rc; i++) {
		if (!addresses_is_module(p->modules[i].module, module->name))
			continue;
		rc = buildid_find(module, &p->modules[i]);
		if (!rc)
			take_sections(module, &p->modules[i], with_init);
	}
	if (rc)
		addresses_module_goes(module->name, false);
	return rc;
}
