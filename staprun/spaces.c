// SPDX-License-Identifier: GPL-2.0-or-later
// The spaces of the processes whose stacks or addresses have come, by their numbers: the latest ones are kept.
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

struct spaces {
	const struct script *script;
	const struct kept_files *files;
	struct entry kept[KEPT];
	u64 calls;
	char *mappings; // of the last space that was asked for
	size_t size, room;
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
