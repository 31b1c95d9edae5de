// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's symbols, from /proc/kallsyms and /proc/modules: which one an address is in.
//
// They are read when the first address comes. Modules come later: an address that is in nothing known has the files
// read again when the list of modules is another one by then. What a module had that has gone stays known until then.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "staprun.h"

#define IN_KERNEL   (~0u)
#define PSEUDO_SIZE 4096 // how far a symbol goes, at most, of what is listed in brackets and is no module

struct symbol {
	u64 address;
	u32 name;  // offset into `text`
	u32 owner; // index into `modules`, or IN_KERNEL
};

struct module_range {
	char name[64];
	u64 start, end;
	int is_listed; // in /proc/modules; else it is the owner of symbols only, which lie anywhere between modules
};

struct kallsyms {
	char *text;             // of /proc/kallsyms, names ended by NUL
	struct symbol *symbols; // by address
	size_t count, room;
	struct module_range *modules;
	u32 module_count, module_room;
	u64 kernel_start, kernel_end;
	char *module_list; // of /proc/modules, as it was read
};

// The whole of a file of /proc, ended by NUL; NULL when it can't be read.
static char *read_all(const char *path)
{
	size_t size = 0, room = 1 << 16, got;
	char *text = malloc(room), *larger;
	FILE *f = fopen(path, "re");

	while (f && text) {
		got = fread(text + size, 1, room - size - 1, f);
		size += got;
		if (!got)
			break;
		if (size < room - 1)
			continue;
		larger = realloc(text, room *= 2);
		if (!larger)
			free(text);
		text = larger;
	}
	if (f)
		fclose(f);
	else
		free(text);
	if (!f || !text)
		return NULL;
	text[size] = 0;
	return text;
}

static struct module_range *add_module(struct kallsyms *k, const char *name, size_t length, u64 start, u64 size)
{
	struct module_range *m;

	if (k->module_count == k->module_room) {
		m = realloc(k->modules, (k->module_room + 256) * sizeof(*m));
		if (!m)
			return NULL;
		k->modules = m;
		k->module_room += 256;
	}
	m = &k->modules[k->module_count++];
	*m = (struct module_range){.start = start, .end = start + size};
	memcpy(m->name, name, length < sizeof(m->name) ? length : sizeof(m->name) - 1);
	return m;
}

// "NAME SIZE REFERENCES USERS STATE 0xADDRESS"
static void read_modules(struct kallsyms *k)
{
	unsigned long long address;
	unsigned size;
	char name[64];

	k->module_count = 0;
	for (const char *line = k->module_list; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "")
		if (sscanf(line, "%63s %u %*s %*s %*s 0x%llx", name, &size, &address) == 3)
			if (add_module(k, name, strlen(name), address, size))
				k->modules[k->module_count - 1].is_listed = 1;
}

// What is no module (bpf, trampolines of ftrace and kprobes) has no range.
static u32 owner_of(struct kallsyms *k, const char *name, size_t length, u64 address, u32 last)
{
	struct module_range *m;

	if (last < k->module_count && !strncmp(k->modules[last].name, name, length) && !k->modules[last].name[length])
		return last;
	for (u32 i = 0; i < k->module_count; i++) {
		m = &k->modules[i];
		if (!strncmp(m->name, name, length) && !m->name[length])
			return i;
	}
	m = add_module(k, name, length, address, 0);
	return m ? (u32)(m - k->modules) : IN_KERNEL;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name; // of several names the first that is listed
}

static int add_symbol(struct kallsyms *k, u64 address, const char *name, u32 owner)
{
	struct symbol *larger;

	if (k->count == k->room) {
		k->room = k->room ? 2 * k->room : 1 << 17;
		larger = realloc(k->symbols, k->room * sizeof(*larger));
		if (!larger)
			return -1;
		k->symbols = larger;
	}
	k->symbols[k->count++] = (struct symbol){address, (u32)(name - k->text), owner};
	return 0;
}

// One line, "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]", whose end is `end`.
static int read_symbol(struct kallsyms *k, char *line, char *end, u32 *owner)
{
	const u64 address = strtoull(line, NULL, 16);
	char *name = memchr(line, ' ', (size_t)(end - line)), *bracket;

	if (!name || end - name < 4)
		return 0;
	name += 3;
	bracket = memchr(name, '\t', (size_t)(end - name));
	*(bracket ? bracket : end) = 0;
	if (bracket && end - bracket > 3) {
		*owner = owner_of(k, bracket + 2, (size_t)(end - bracket) - 3, address, *owner);
		return add_symbol(k, address, name, *owner);
	}
	if (!strcmp(name, "_stext"))
		k->kernel_start = address;
	else if (address > k->kernel_end &&
		 (!strcmp(name, "_end") || !strcmp(name, "_einittext") || !strcmp(name, "_etext")))
		k->kernel_end = address; // a kernel may list its functions only
	return add_symbol(k, address, name, IN_KERNEL);
}

static int load(struct kallsyms *k)
{
	u32 owner = IN_KERNEL;
	char *line, *end;

	free(k->text);
	k->count = 0;
	read_modules(k);
	k->text = read_all("/proc/kallsyms");
	for (line = k->text; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end || read_symbol(k, line, end, &owner))
			break;
	}
	qsort(k->symbols, k->count, sizeof(*k->symbols), by_address);
	return k->count ? 0 : -1;
}

struct kallsyms *kallsyms_create(void)
{
	return calloc(1, sizeof(struct kallsyms));
}

void kallsyms_destroy(struct kallsyms *k)
{
	if (!k)
		return;
	free(k->text);
	free(k->symbols);
	free(k->modules);
	free(k->module_list);
	free(k);
}

// Reads the files when that has not been done, or when modules have come or gone since: 1 when it did.
static int refresh(struct kallsyms *k)
{
	char *list = read_all("/proc/modules");

	if (k->text && (!list || (k->module_list && !strcmp(k->module_list, list)))) {
		free(list);
		return 0;
	}
	free(k->module_list);
	k->module_list = list;
	return !load(k);
}

// Whose the address is: sets *owner and where that ends. 0 when it is nobody's.
static int find_owner(const struct kallsyms *k, u64 address, u32 *owner, u64 *end)
{
	if (address >= k->kernel_start && address < k->kernel_end) {
		*owner = IN_KERNEL;
		*end = k->kernel_end;
		return 1;
	}
	for (u32 i = 0; i < k->module_count; i++) {
		const struct module_range *m = &k->modules[i];

		if (!m->is_listed || address < m->start || address >= m->end)
			continue;
		*owner = i;
		*end = m->end;
		return 1;
	}
	return 0;
}

u64 kallsyms_text(struct kallsyms *k)
{
	if (!k->text)
		refresh(k);
	return k->kernel_start;
}

int kallsyms_find(struct kallsyms *k, u64 address, struct kernel_symbol *found)
{
	if (!k->text)
		refresh(k);
	return kallsyms_find_known(k, address, found) || (refresh(k) && kallsyms_find_known(k, address, found));
}

// How many symbols begin at the address or below it.
static size_t count_up_to(const struct kallsyms *k, u64 address)
{
	size_t low = 0, high, middle;

	for (high = k->count; low < high;) {
		middle = low + (high - low) / 2;
		if (k->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void describe(const struct kallsyms *k, const struct symbol *s, u64 end, struct kernel_symbol *found)
{
	*found = (struct kernel_symbol){
		.name = k->text + s->name,
		.module = s->owner == IN_KERNEL ? NULL : k->modules[s->owner].name,
		.start = s->address,
		.end = end,
	};
}

// In what is neither the kernel nor a module.
static int find_pseudo(const struct kallsyms *k, u64 address, struct kernel_symbol *found)
{
	const size_t above = count_up_to(k, address);

	for (size_t i = above; i && address - k->symbols[i - 1].address < PSEUDO_SIZE; i--) {
		const struct symbol *s = &k->symbols[i - 1];
		u64 end = s->address + PSEUDO_SIZE;

		if (s->owner == IN_KERNEL || k->modules[s->owner].is_listed)
			continue;
		if (above < k->count && k->symbols[above].address < end)
			end = k->symbols[above].address;
		describe(k, s, end, found);
		return 1;
	}
	return 0;
}

int kallsyms_find_known(const struct kallsyms *k, u64 address, struct kernel_symbol *found)
{
	size_t low;
	u64 end;
	u32 owner;

	if (!find_owner(k, address, &owner, &end))
		return find_pseudo(k, address, found);
	low = count_up_to(k, address);
	for (size_t i = low; i < k->count && k->symbols[i].address < end; i++) {
		if (k->symbols[i].owner != owner)
			continue;
		end = k->symbols[i].address;
		break;
	}
	while (low && k->symbols[low - 1].owner != owner)
		low--;
	if (!low)
		return 0;
	while (low > 1 && k->symbols[low - 2].address == k->symbols[low - 1].address &&
	       k->symbols[low - 2].owner == owner)
		low--;
	describe(k, &k->symbols[low - 1], end, found);
	return 1;
}
