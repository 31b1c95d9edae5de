// SPDX-License-Identifier: GPL-2.0-or-later
// A script's file in memory: what kind of file it is; a module's name, and giving it another before it is loaded (-R).
//
// The kernel takes a module's name from struct module, in .gnu.linkonce.this_module; tools and messages take it from
// "name=" in .modinfo. Both are plain bytes of the file, so one compiled script can be loaded twice at once.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "staprun.h"

#define NAME_OFFSET 24 // of `name` in struct module: after the state and a list head, on 64 bits
#define NAME_SIZE   56 // of `name`, its end included: MODULE_NAME_LEN

char *module_image_read(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), problem = 0;
	struct stat st;
	char *image = NULL;
	size_t done = 0;
	ssize_t n;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st))
		problem = errno;
	else if (!(image = malloc((size_t)st.st_size + 1)))
		problem = ENOMEM;
	while (!problem && done < (size_t)st.st_size) {
		n = read(fd, image + done, (size_t)st.st_size - done);
		if (n > 0)
			done += (size_t)n;
		else if (n == 0)
			break;
		else if (errno != EINTR)
			problem = errno;
	}
	close(fd);
	if (problem) {
		free(image);
		errno = problem;
		return NULL;
	}
	*size = done;
	return image;
}

// The bytes of a section, NULL when the image has none of that name.
static char *section_bytes(char *image, size_t size, const char *name, size_t *length)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)image;
	const Elf64_Shdr *sections, *strings;

	if (size < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	if (e->e_shoff > size || e->e_shnum > (size - e->e_shoff) / sizeof(*sections) || e->e_shstrndx >= e->e_shnum)
		return NULL;
	sections = (const Elf64_Shdr *)(image + e->e_shoff);
	strings = &sections[e->e_shstrndx];
	if (strings->sh_offset > size || strings->sh_size > size - strings->sh_offset)
		return NULL;
	for (unsigned i = 0; i < e->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];
		size_t n = strlen(name) + 1;

		if (s->sh_name > strings->sh_size || strings->sh_size - s->sh_name < n ||
		    memcmp(image + strings->sh_offset + s->sh_name, name, n))
			continue;
		if (s->sh_type == SHT_NOBITS || s->sh_offset > size || s->sh_size > size - s->sh_offset)
			return NULL;
		*length = s->sh_size;
		return image + s->sh_offset;
	}
	return NULL;
}

static int is_elf(const char *image, size_t size, unsigned type)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)image;

	return size >= sizeof(*e) && !memcmp(e->e_ident, ELFMAG, SELFMAG) && e->e_type == type;
}

int image_is_module(char *image, size_t size)
{
	size_t length;

	return is_elf(image, size, ET_REL) && section_bytes(image, size, ".modinfo", &length);
}

int image_is_shared_object(const char *image, size_t size)
{
	return is_elf(image, size, ET_DYN);
}

// `name` in struct module, NUL-terminated within NAME_SIZE; NULL when there is none.
static char *name_field(char *image, size_t size)
{
	size_t length = 0;
	char *section = section_bytes(image, size, ".gnu.linkonce.this_module", &length);

	if (!section || length < NAME_OFFSET + NAME_SIZE || !section[NAME_OFFSET] ||
	    !memchr(section + NAME_OFFSET, 0, NAME_SIZE))
		return NULL;
	return section + NAME_OFFSET;
}

void module_name(const char *path, char *name, size_t size)
{
	const char *base = strrchr(path, '/'), *field;
	size_t image_size = 0, n;
	char *image = module_image_read(path, &image_size);

	field = image ? name_field(image, image_size) : NULL;
	snprintf(name, size, "%s", field ? field : base ? base + 1 : path);
	free(image);
	if (field)
		return;
	n = strlen(name);
	if (n > 3 && !strcmp(name + n - 3, ".ko"))
		name[n - 3] = 0;
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
}

// "name=OLD" in .modinfo becomes "name=NEW" when that is no longer; the kernel skips the zeros that are left.
static void rename_modinfo(char *image, size_t size, const char *from, const char *to)
{
	size_t length = 0, key = strlen("name="), old = strlen(from), n;
	char *info = section_bytes(image, size, ".modinfo", &length);

	if (strlen(to) > old)
		return;
	for (size_t at = 0; info && at < length; at += n + 1) {
		n = strnlen(info + at, length - at);
		if (n != key + old || memcmp(info + at, "name=", key) || memcmp(info + at + key, from, old))
			continue;
		memset(info + at + key, 0, old);
		memcpy(info + at + key, to, strlen(to));
	}
}

int module_image_rename(char *image, size_t size, char *name, size_t name_size)
{
	char *field = name_field(image, size), from[NAME_SIZE], suffix[16];
	size_t keep, n;

	if (!field)
		return -1;
	strcpy(from, field);
	n = (size_t)snprintf(suffix, sizeof(suffix), "_%d", (int)getpid());
	// Long names are cut, so that .modinfo has room for the new one too.
	keep = strlen(from);
	if (keep > 8 && keep + n > strlen(from))
		keep = strlen(from) > 8 + n ? strlen(from) - n : 8;
	snprintf(name, name_size, "%.*s%s", (int)keep, from, suffix);
	memset(field, 0, NAME_SIZE);
	memcpy(field, name, strlen(name) < NAME_SIZE ? strlen(name) : NAME_SIZE - 1);
	rename_modinfo(image, size, from, name);
	return 0;
}
