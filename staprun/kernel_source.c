// SPDX-License-Identifier: GPL-2.0-or-later
// The debuginfo of the kernel that runs and of its modules, for files and lines of their addresses.
//
// It is looked for where stap looks: below the directories of SYSTEMTAP_DEBUGINFO_PATH, or else in /usr/lib/debug and
// in the user's cache. The kernel's file is used when its build-id is that of the kernel that runs. It has the
// addresses that the kernel was linked for, and the kernel has moved all of them by one distance.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "kernel_source.h"

#define MAX_KERNEL (1ull << 30) // bytes of its text and data

struct kernel_source {
	Dwfl *dwfl; // NULL: it has not been looked for, or there is none
	int was_looked_for;
	int has_kernel;
	u64 linked_text; // where the file has the beginning of the kernel's text
	char *path;      // of the directories that libdwfl looks in for modules
};

static char *debug_path;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_kernel_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_linux_kernel_module_section_address,
	.debuginfo_path = &debug_path,
};

// Directories with colons between, to be freed.
static char *debug_directories(void)
{
	const char *given = getenv("SYSTEMTAP_DEBUGINFO_PATH"), *cache = getenv("XDG_CACHE_HOME"),
		   *home = getenv("HOME");
	char *all = NULL;
	int n;

	if (given)
		return strdup(given);
	if (cache && cache[0] == '/')
		n = asprintf(&all, "/usr/lib/debug:%s/stap/debug/usr/lib/debug", cache);
	else if (home && home[0] == '/')
		n = asprintf(&all, "/usr/lib/debug:%s/.cache/stap/debug/usr/lib/debug", home);
	else
		n = asprintf(&all, "/usr/lib/debug");
	return n < 0 ? NULL : all;
}

// The build-id in the notes, whose size is *size; NULL when there is none.
static const char *build_id(const char *notes, size_t length, size_t *size)
{
	const Elf64_Nhdr *n;
	const char *name;

	for (size_t at = 0; at + sizeof(*n) <= length;) {
		n = (const Elf64_Nhdr *)(notes + at);
		name = notes + at + sizeof(*n); // "GNU": Xen has notes of the same type
		at += sizeof(*n) + ((n->n_namesz + 3) & ~3ull);
		if (n->n_descsz > length || at > length - n->n_descsz)
			break;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && !memcmp(name, "GNU", 4)) {
			*size = n->n_descsz;
			return notes + at;
		}
		at += (n->n_descsz + 3) & ~3ull;
	}
	return NULL;
}

static int is_running_kernel(Elf *elf)
{
	static char notes[65536] __attribute__((aligned(8)));
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, notes, sizeof(notes));
	size_t size = 0;
	const void *file_id;
	const char *id = length > 0 ? build_id(notes, (size_t)length, &size) : NULL;
	const ssize_t file_size = dwelf_elf_gnu_build_id(elf, &file_id);

	if (fd >= 0)
		close(fd);
	return id && file_size == (ssize_t)size && !memcmp(id, file_id, size);
}

// Where the file's text begins; 0: it is not the kernel's that runs.
static u64 linked_text(int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;
	u64 found = 0;

	while (elf && !found && is_running_kernel(elf) && (section = elf_nextscn(elf, section))) {
		const char *name = elf_getshdrstrndx(elf, &names) || !gelf_getshdr(section, &header)
					   ? NULL
					   : elf_strptr(elf, names, header.sh_name);

		if (name && !strcmp(name, ".text"))
			found = header.sh_addr;
	}
	elf_end(elf);
	return found;
}

static void report_kernel(struct kernel_source *k, const char *root, const char *release)
{
	static const struct {
		const char *before, *after; // the release
	} places[] = {{"boot/vmlinux-", ""}, {"lib/modules/", "/vmlinux"}, {"usr/lib/modules/", "/vmlinux"}};
	const int length = (int)strcspn(root, ":");
	char path[4096];
	int fd;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && !k->has_kernel; i++) {
		snprintf(path, sizeof(path), "%.*s/%s%s%s", length, root, places[i].before, release, places[i].after);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		k->linked_text = linked_text(fd);
		k->has_kernel = k->linked_text && dwfl_report_elf(k->dwfl, "kernel", path, fd, 0, true);
		if (!k->has_kernel)
			close(fd);
	}
}

static void look_for(struct kernel_source *k)
{
	char *roots = debug_directories();
	struct utsname u;

	k->was_looked_for = 1;
	elf_version(EV_CURRENT);
	if (!roots || uname(&u)) {
		free(roots);
		return;
	}
	if (asprintf(&k->path, ":.debug:%s", roots) < 0)
		k->path = NULL;
	debug_path = k->path;
	k->dwfl = dwfl_begin(&callbacks);
	if (k->dwfl) {
		dwfl_report_begin(k->dwfl);
		for (const char *root = roots; *root; root += strcspn(root, ":"), root += *root == ':')
			report_kernel(k, root + (root[0] == '+' || root[0] == '-'), u.release);
		dwfl_linux_kernel_report_modules(k->dwfl);
		dwfl_report_end(k->dwfl, NULL, NULL);
	}
	free(roots);
}

struct kernel_source *kernel_source_create(void)
{
	return calloc(1, sizeof(struct kernel_source));
}

void kernel_source_destroy(struct kernel_source *k)
{
	if (!k)
		return;
	dwfl_end(k->dwfl);
	free(k->path);
	free(k);
}

Dwfl *kernel_source_find(struct kernel_source *k, u64 text, u64 address, u64 *place)
{
	if (!k->was_looked_for)
		look_for(k);
	*place = address;
	if (k->has_kernel && address >= text && address - text < MAX_KERNEL)
		*place = address - text + k->linked_text;
	return k->dwfl;
}
