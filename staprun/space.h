// SPDX-License-Identifier: GPL-2.0-or-later
// What was mapped in a process: its files, for libdwfl, and the unwinding of its stacks.
#ifndef STAPRUN_SPACE_H
#define STAPRUN_SPACE_H

#include <elfutils/libdwfl.h>

#include "staprun.h"

// A stack as it was recorded.
struct user_stack {
	struct stap_record_user_stack head;
	const char *bytes; // from the stack pointer on, then from head.interrupted on
	u32 size;          // of both; head.first_size of the first
};

struct user_frame {
	u64 address;
	int is_exact; // it is where the code was; else where a call returns to
};

struct frame_list {
	struct user_frame *frames;
	u32 count, max;
};

// Opens a file that is held open whatever its path leads to now: a descriptor, or -1.
struct kept_files;
typedef int kept_open(const struct kept_files *kept, const char *path);

struct space;
// Of what the script or /proc has told, a struct stap_user_mapping and its path each. NULL: no memory.
struct space *space_create(const char *mappings, size_t size, u32 process, const struct kept_files *kept,
			   kept_open *open_kept);
void space_destroy(struct space *s);
Dwfl *space_dwfl(struct space *s);
// Whether code is mapped at the address.
int space_maps(const struct space *s, u64 address);
// Fills the list, the innermost frame first, at least one where there is room.
void space_unwind(struct space *s, const struct user_stack *stack, struct frame_list *list);

// --- spaces.c ---
struct spaces;
struct spaces *spaces_create(const struct script *s, const struct kept_files *kept); // NULL: no memory
void spaces_destroy(struct spaces *all);
// The space of the place; NULL: no memory, or no library (dwarf_library.h). It stays until the next call.
struct space *spaces_find(struct spaces *all, const struct stap_user_place *place);
// A space to look an address up in that has come without its process: NULL, when none that the script has met has
// anything there, or what they have differs. It stays until the next call.
struct space *spaces_find_any(struct spaces *all, u64 address);

#endif
