// SPDX-License-Identifier: GPL-2.0-or-later
// What libdwfl knows of an address in a file: its symbol, its line of the source, the functions that were inlined
// there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

int source_symbol(Dwfl *dwfl, u64 address, u64 place, struct source_symbol *found)
{
	Dwfl_Module *module = dwfl_addrmodule(dwfl, place);
	Dwarf_Addr start, end;
	GElf_Off offset = 0;
	GElf_Sym symbol;

	if (!module)
		return 0;
	*found = (struct source_symbol){.file = dwfl_module_info(module, NULL, &start, &end, NULL, NULL, NULL, NULL)};
	found->file_start = start;
	found->file_size = end - start;
	found->name = dwfl_module_addrinfo(module, place, &offset, &symbol, NULL, NULL, NULL);
	found->offset = offset + (address - place);
	found->size = found->name ? symbol.st_size : 0;
	return 1;
}

int source_line(Dwfl *dwfl, u64 place, const char **file)
{
	Dwfl_Module *module = dwfl_addrmodule(dwfl, place);
	Dwfl_Line *line = module ? dwfl_module_getsrc(module, place) : NULL;
	int number = 0;

	*file = line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	return *file ? number : 0;
}

// Of an inlined copy: the line that has the call.
static void call_site(Dwarf_Die *unit, Dwarf_Die *copy, struct source_inlined *to)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word value;
	size_t count;

	to->call_file = NULL;
	to->call_line = 0;
	if (!dwarf_formudata(dwarf_attr(copy, DW_AT_call_line, &attribute), &value))
		to->call_line = (int)value;
	if (!dwarf_formudata(dwarf_attr(copy, DW_AT_call_file, &attribute), &value) &&
	    !dwarf_getsrcfiles(unit, &files, &count) && value < count)
		to->call_file = dwarf_filesrc(files, value, NULL, NULL);
}

unsigned source_inlined(Dwfl *dwfl, u64 place, struct source_inlined *copies, unsigned max)
{
	Dwfl_Module *module = dwfl_addrmodule(dwfl, place);
	Dwarf_Die *scopes = NULL, *unit;
	Dwarf_Addr bias = 0;
	unsigned count = 0;
	int scope_count;

	unit = module ? dwfl_module_addrdie(module, place, &bias) : NULL;
	scope_count = unit ? dwarf_getscopes(unit, place - bias, &scopes) : 0;
	for (int i = 0; i < scope_count && count < max; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		copies[count].name = dwarf_diename(&scopes[i]);
		call_site(unit, &scopes[i], &copies[count]);
		count += copies[count].name != NULL;
	}
	free(scopes);
	return count;
}

// The C++ library is looked for when the first such name comes; without it the names stay as they are.
char *source_demangled(const char *name)
{
	typedef char *demangle(const char *, char *, size_t *, int *);
	static demangle *function;
	static int was_looked_for;
	void *library;

	if (name[0] != '_' || name[1] != 'Z')
		return NULL;
	if (!was_looked_for) {
		was_looked_for = 1;
		library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
		if (library)
			*(void **)&function = dlsym(library, "__cxa_demangle");
	}
	return function ? function(name, NULL, NULL, NULL) : NULL;
}
