// SPDX-License-Identifier: GPL-2.0-or-later
// The spaces of the processes whose stacks or addresses have come, by their numbers: the latest ones are kept.
//
// An address may come without its process: a handler has taken it, kept it in an array, and another one prints it. All
// processes are looked at then whose addresses the script has taken, by what they had mapped.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "dwarf_library.h"
#include "kept.h"

#define KEPT 32

struct entry {
	u32 number, process;
	u64 used; // when it was, counted in calls
	struct space *space;
};

// What a space had mapped, as the script has told.
struct told {
	u32 number, process;
	char *mappings;
	size_t size;
};

struct spaces {
	const struct script *script;
	const struct kept_files *files;
	struct entry kept[KEPT];
	u64 calls;
	char *mappings; // of the last space that was asked for
	size_t size, room;
	struct told *told; // by their numbers
	unsigned told_count;
};

struct spaces *spaces_create(const struct script *s, const struct kept_files *files)
{
	struct spaces *all = calloc(1, sizeof(*all));

	if (all) {
		all->script = s;
		all->files = files;
	}
	return all;
}

void spaces_destroy(struct spaces *all)
{
	if (!all)
		return;
	for (unsigned i = 0; i < KEPT; i++)
		if (all->kept[i].space)
			dwarf_library()->space_destroy(all->kept[i].space);
	for (unsigned i = 0; i < all->told_count; i++)
		free(all->told[i].mappings);
	free(all->told);
	free(all->mappings);
	free(all);
}

static int need_room(struct spaces *all, size_t size)
{
	char *larger;

	if (size <= all->room)
		return 0;
	larger = realloc(all->mappings, size);
	if (!larger)
		return -1;
	all->mappings = larger;
	all->room = size;
	return 0;
}

// 0, or -1 when the script does not know.
static int ask_script(struct spaces *all, u32 number)
{
	struct stap_ioc_space asked = {.space = number};
	int size;

	if (!number || all->script->pid)
		return -1;
	for (;;) {
		asked.size = (u32)all->room;
		asked.buffer = (u64)(uintptr_t)all->mappings;
		size = ioctl(all->script->proc_fd, STAP_IOC_SPACE, &asked);
		if (size < 0)
			return -1;
		all->size = (size_t)size;
		if (all->size <= all->room)
			return 0;
		if (need_room(all, all->size))
			return -1;
	}
}

// "START-END r-xp OFFSET DEVICE INODE   PATH"
static void ask_proc(struct spaces *all, u32 process)
{
	char path[64], line[4352], permissions[8];
	unsigned long long start, end, offset;
	int name;
	FILE *f;

	all->size = 0;
	snprintf(path, sizeof(path), "/proc/%u/maps", process);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		struct stap_user_mapping m = {0};
		size_t entry;

		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &start, &end, permissions, &offset, &name) != 4 ||
		    permissions[2] != 'x')
			continue;
		m = (struct stap_user_mapping){start, end, offset, (u32)strcspn(line + name, "\n"), 0};
		entry = (sizeof(m) + m.path_length + 7) & ~7ull;
		if (need_room(all, all->size + entry))
			break;
		memcpy(all->mappings + all->size, &m, sizeof(m));
		memcpy(all->mappings + all->size + sizeof(m), line + name, m.path_length);
		all->size += entry;
	}
	if (f)
		fclose(f);
}

struct space *spaces_find(struct spaces *all, const struct stap_user_place *place)
{
	const struct dwarf_library *library = dwarf_library();
	struct entry *e = &all->kept[0];

	if (!library)
		return NULL;
	all->calls++;
	for (unsigned i = 0; i < KEPT; i++) {
		struct entry *at = &all->kept[i];

		if (at->space && at->number == place->space && at->process == place->process && place->space) {
			at->used = all->calls;
			return at->space;
		}
		if (at->used < e->used)
			e = at;
	}
	library->space_destroy(e->space);
	if (ask_script(all, place->space))
		ask_proc(all, place->process);
	*e = (struct entry){
		place->space, place->process, all->calls,
		library->space_create(all->mappings, all->size, place->process, all->files, kept_files_open)};
	return e->space;
}

// --- addresses without their process ---

static int by_number(const void *a, const void *b)
{
	const struct stap_known_space *left = a, *right = b;

	return left->space < right->space ? -1 : left->space > right->space;
}

// What the script has told of a space is copied to `told`, whose memory is there.
static void hear(struct spaces *all, const struct stap_known_space *known)
{
	struct told *t = &all->told[all->told_count];

	if (ask_script(all, known->space))
		return;
	*t = (struct told){known->space, known->process, malloc(all->size), all->size};
	if (!t->mappings)
		return;
	memcpy(t->mappings, all->mappings, all->size);
	all->told_count++;
}

// Asks for the spaces that have come since it was asked last.
static void hear_new(struct spaces *all)
{
	struct stap_known_space known[256];
	struct stap_ioc_space asked = {.space = all->told_count ? all->told[all->told_count - 1].number : 0,
				       .size = sizeof(known),
				       .buffer = (u64)(uintptr_t)known};
	const int size = all->script->pid ? -1 : ioctl(all->script->proc_fd, STAP_IOC_SPACES, &asked);
	const unsigned count = size < 0 ? 0 : (unsigned)size / sizeof(known[0]);
	struct told *larger = count ? realloc(all->told, (all->told_count + count) * sizeof(*larger)) : NULL;

	if (!larger)
		return;
	all->told = larger;
	qsort(known, count, sizeof(known[0]), by_number);
	for (unsigned i = 0; i < count; i++)
		hear(all, &known[i]);
}

// The mapping at an address, and its path. False: there is none of a file.
static int find_mapping(const struct told *t, u64 address, struct stap_user_mapping *found, const char **path)
{
	for (size_t at = 0; at + sizeof(*found) <= t->size;
	     at += (sizeof(*found) + found->path_length + 7) & ~(size_t)7) {
		memcpy(found, t->mappings + at, sizeof(*found));
		if (found->path_length > t->size - at - sizeof(*found))
			return 0;
		*path = t->mappings + at + sizeof(*found);
		if (address >= found->start && address < found->end)
			return found->path_length > 0;
	}
	return 0;
}

struct space *spaces_find_any(struct spaces *all, u64 address)
{
	struct stap_user_mapping first = {0}, other;
	struct stap_user_place place = {.address = address};
	const char *first_path = NULL, *path;

	hear_new(all);
	for (unsigned i = 0; i < all->told_count; i++) {
		const struct told *t = &all->told[i];

		if (!find_mapping(t, address, &other, &path))
			continue;
		if (!first_path) {
			first = other;
			first_path = path;
			place.space = t->number;
			place.process = t->process;
		} else if (other.start - other.offset != first.start - first.offset ||
			   other.path_length != first.path_length || memcmp(path, first_path, other.path_length)) {
			return NULL;
		}
	}
	return first_path ? spaces_find(all, &place) : NULL;
}
