// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a program or library for handlers; its symbols as libdwfl finds them: the file's own table, that of its
// debuginfo, or what it exports.
#define _GNU_SOURCE
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source.h"
#include "user_file.h"

struct found {
	u64 offset, size;
	const char *name;
	int binding; // the higher is the better name
	int order;
};

struct list {
	struct found *all;
	size_t count, room;
};

static char *debuginfo_path; // the default of libdwfl: .debug beside the file, and /usr/lib/debug

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};

int user_file_offset(Elf *elf, u64 address, u64 *offset)
{
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || address < header.p_vaddr ||
		    address - header.p_vaddr >= header.p_filesz)
			continue;
		*offset = address - header.p_vaddr + header.p_offset;
		return 1;
	}
	return 0;
}

// Symbols of code without a size, which assembler code may have, reach to the next one.
static int is_wanted(const GElf_Sym *symbol)
{
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC: return 1;
	case STT_OBJECT: return symbol->st_size > 0;
	}
	return 0;
}

static int preference(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL: return 2;
	case STB_WEAK: return 1;
	}
	return 0;
}

static int add(struct list *l, struct found f)
{
	struct found *larger;

	if (l->count == l->room) {
		l->room = l->room ? 2 * l->room : 4096;
		larger = realloc(l->all, l->room * sizeof(*larger));
		if (!larger)
			return -1;
		l->all = larger;
	}
	f.order = (int)l->count;
	l->all[l->count++] = f;
	return 0;
}

static int collect(Dwfl_Module *module, struct list *l)
{
	GElf_Addr bias = 0;
	Elf *elf = dwfl_module_getelf(module, &bias);
	const int count = elf ? dwfl_module_getsymtab(module) : 0;

	for (int i = 0; i < count; i++) {
		GElf_Addr address;
		GElf_Word section;
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, NULL, NULL);
		u64 offset;

		if (!name || !name[0] || section == SHN_UNDEF || section == SHN_ABS || !is_wanted(&symbol) ||
		    !user_file_offset(elf, address - bias, &offset))
			continue;
		if (add(l, (struct found){offset, symbol.st_size, name, preference(&symbol), 0}))
			return -1;
	}
	return 0;
}

// Of those at one offset the one with the better name comes first, as libdwfl chooses it for an address.
static int by_offset(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->binding != y->binding ? y->binding - x->binding : x->order - y->order;
}

// As the reader prints names: those of C++ as the source has them, without a version.
static void write_name(FILE *to, const char *name)
{
	char *plain = source_demangled(name);

	if (plain)
		fputs(plain, to);
	else
		fwrite(name, 1, 1 + strcspn(name + 1, "@"), to);
	fputc(0, to);
	free(plain);
}

// Of those at one offset the first is kept.
static int put_symbols(const struct list *l, FILE *names, struct user_file *to)
{
	to->symbols = malloc((l->count + !l->count) * sizeof(*to->symbols));
	if (!to->symbols)
		return -1;
	for (size_t i = 0; i < l->count; i++) {
		const struct found *f = &l->all[i];
		u64 reach = f->size;

		if (i && f->offset == l->all[i - 1].offset)
			continue;
		for (size_t next = i + 1; !reach && next < l->count; next++)
			reach = l->all[next].offset - f->offset;
		to->symbols[to->symbol_count++] = (struct stap_file_symbol){f->offset, (u32)reach, (u32)ftell(names)};
		write_name(names, f->name);
	}
	return 0;
}

static int read_symbols(Dwfl_Module *module, FILE *names, struct user_file *to)
{
	struct list l = {0};
	int rc = collect(module, &l);

	if (!rc && l.count) {
		qsort(l.all, l.count, sizeof(*l.all), by_offset);
		rc = put_symbols(&l, names, to);
	}
	free(l.all);
	return rc;
}

static int read_module(Dwfl_Module *module, const char *path, u32 wanted, struct user_file *to)
{
	size_t size = 0;
	FILE *names = open_memstream(&to->names, &size);
	int rc = 0;

	if (!names)
		return -1;
	fwrite(path, 1, strlen(path) + 1, names);
	if (wanted & STAP_WANTS_USER_SYMBOLS)
		rc |= read_symbols(module, names, to);
	if (wanted & STAP_WANTS_USER_UNWINDING)
		rc |= unwind_rules_read(module, to);
	rc |= fclose(names);
	to->names_size = (u32)size;
	return rc;
}

int user_file_read(const char *path, int fd, u32 wanted, struct user_file *found)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	const int own = dup(fd);
	Dwfl_Module *module = NULL;
	int rc = -1;

	*found = (struct user_file){0};
	if (dwfl && own >= 0) {
		dwfl_report_begin(dwfl);
		module = dwfl_report_offline(dwfl, path, path, own);
		dwfl_report_end(dwfl, NULL, NULL);
	}
	if (module)
		rc = read_module(module, path, wanted, found);
	else if (own >= 0)
		close(own); // else it is libdwfl's
	dwfl_end(dwfl);
	if (rc)
		user_file_free(found);
	return rc ? -1 : 0;
}

void user_file_free(struct user_file *f)
{
	free(f->symbols);
	free(f->rules);
	free(f->names);
	*f = (struct user_file){0};
}
