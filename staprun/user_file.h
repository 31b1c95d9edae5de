// SPDX-License-Identifier: GPL-2.0-or-later
// What handlers may have to know of a program or library: names of its addresses, and how its code is unwound.
#ifndef STAPRUN_USER_FILE_H
#define STAPRUN_USER_FILE_H

#include <elfutils/libdwfl.h>

#include "abi/record.h"

struct user_file {
	struct stap_file_symbol *symbols; // by their offsets, one at each
	struct stap_unwind_rule *rules;   // by their offsets
	char *names;                      // the first is the path
	u32 symbol_count, rule_count, names_size;
};

// What is wanted (enum stap_user_files) and found of a file, whose descriptor stays open: 0, or -1 when it can't be
// read. To be freed.
int user_file_read(const char *path, int fd, u32 wanted, struct user_file *found);
void user_file_free(struct user_file *f);

// Where in the file an address is that counts as the file does; 0: it has no bytes there.
int user_file_offset(Elf *elf, u64 address, u64 *offset);

// --- unwind_rules.c ---
// Adds the rules of .eh_frame; none where there is no such section. 0, or -1: no memory.
int unwind_rules_read(Dwfl_Module *module, struct user_file *to);

#endif
