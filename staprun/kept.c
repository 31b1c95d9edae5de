// SPDX-License-Identifier: GPL-2.0-or-later
// Programs and libraries that are held open from the start (--symbols, --ldd): what they have is known whatever becomes
// of the files, or of the processes that have mapped them.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kept.h"

extern char **environ;

struct kept_files {
	u32 count, room;
	struct {
		char *path; // the real one, as mappings have it
		int fd;
	} * files;
};

struct kept_files *kept_files_create(void)
{
	return calloc(1, sizeof(struct kept_files));
}

void kept_files_destroy(struct kept_files *k)
{
	if (!k)
		return;
	for (u32 i = 0; i < k->count; i++) {
		free(k->files[i].path);
		close(k->files[i].fd);
	}
	free(k->files);
	free(k);
}

// The file of that path with `length` bytes, -1: it is not held.
static int find_file(const struct kept_files *k, const char *path, size_t length)
{
	for (u32 i = 0; i < k->count; i++)
		if (!strncmp(k->files[i].path, path, length) && !k->files[i].path[length])
			return k->files[i].fd;
	return -1;
}

int kept_files_open(const struct kept_files *k, const char *path)
{
	static const char gone[] = " (deleted)"; // as the kernel says it of a mapped file
	size_t length = strlen(path);
	int fd;

	if (length > sizeof(gone) && !strcmp(path + length - (sizeof(gone) - 1), gone))
		length -= sizeof(gone) - 1;
	fd = find_file(k, path, length);
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int kept_files_add(struct kept_files *k, const char *path)
{
	char *real = realpath(path, NULL);
	void *larger;
	int fd;

	if (!real)
		return -1;
	if (find_file(k, real, strlen(real)) >= 0) {
		free(real);
		return 0;
	}
	fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	larger = fd < 0 ? NULL : realloc(k->files, (k->count + 1) * sizeof(*k->files));
	if (!larger) {
		if (fd >= 0)
			close(fd);
		free(real);
		return -1;
	}
	k->files = larger;
	k->files[k->count].path = real;
	k->files[k->count++].fd = fd;
	return 0;
}

void kept_files_visit(const struct kept_files *k, kept_visit *visit, void *data)
{
	for (u32 i = 0; i < k->count; i++)
		visit(data, k->files[i].path, k->files[i].fd);
}

// --- what programs need ---

// The dynamic linker that started this process: it finds libraries as it would when it starts the program.
static int find_linker(struct dl_phdr_info *info, size_t size, void *data)
{
	const char **path = data;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_INTERP)
			*path = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	return 1; // the first is the program itself
}

// "	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f...)", "	/lib64/ld-linux-x86-64.so.2 (0x00007f...)"
static void add_listed(struct kept_files *k, char *line)
{
	char *path = strchr(line, '/'), *end = path ? strstr(path, " (0x") : NULL;

	if (!end)
		return;
	*end = 0;
	kept_files_add(k, path);
}

// Is it linked dynamically? The linker crashes on what is not.
static int has_linker(int fd)
{
	Elf64_Ehdr e;
	Elf64_Phdr p;

	if (pread(fd, &e, sizeof(e), 0) != (ssize_t)sizeof(e) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64)
		return 0;
	for (unsigned i = 0; i < e.e_phnum; i++)
		if (pread(fd, &p, sizeof(p), (off_t)(e.e_phoff + i * sizeof(p))) == (ssize_t)sizeof(p) &&
		    p.p_type == PT_DYNAMIC)
			return 1;
	return 0;
}

// With --list the linker maps what the program needs, says so, and runs none of its code.
static void add_needed(struct kept_files *k, const char *linker, const char *program)
{
	const char *const arguments[] = {linker, "--list", program, NULL};
	posix_spawn_file_actions_t actions;
	char line[PATH_MAX + 256];
	int ends[2];
	pid_t pid;
	FILE *f;

	if (pipe2(ends, O_CLOEXEC))
		return;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&pid, linker, &actions, NULL, (char *const *)arguments, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	f = fdopen(ends[0], "r");
	while (f && fgets(line, sizeof(line), f))
		add_listed(k, line);
	if (f)
		fclose(f);
	else
		close(ends[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void kept_files_add_libraries(struct kept_files *k)
{
	const u32 programs = k->count;
	const char *linker = NULL;

	dl_iterate_phdr(find_linker, &linker);
	for (u32 i = 0; linker && i < programs; i++)
		if (has_linker(k->files[i].fd))
			add_needed(k, linker, k->files[i].path);
}
