// SPDX-License-Identifier: GPL-2.0-or-later
// Refuses a kernel, or a module, that the script was not compiled for: addresses and structure layouts would be lies.
//
// A build-id is an ELF note {u32 namesz = 4, descsz, type = 3 (NT_GNU_BUILD_ID); "GNU\0"; desc} that
// stays in memory: the kernel's at a known offset from _stext, a module's in its section .note.gnu.build-id. A
// program's is read in its file.
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include "kernel.h"

#define NT_GNU_BUILD_ID 3
#define MAX_BUILD_ID    20

struct build_id_note {
	u32 name_size, id_size, type;
	char name[4];
	u8 id[MAX_BUILD_ID];
};

static u64 note_address(const struct stap_module_id *m)
{
	if (addresses_is_kernel(m->module))
		return addresses_find(NULL, NULL, m->notes_offset);
	return addresses_find(m->module, ".note.gnu.build-id", 0);
}

static bool looks_like_note(const struct build_id_note *note)
{
	return note->name_size == 4 && !memcmp(note->name, "GNU", 4) && note->type == NT_GNU_BUILD_ID &&
	       note->id_size && note->id_size <= MAX_BUILD_ID;
}

// 0 and the note, or -ENOENT when nothing that looks like one is there.
static int read_note(u64 address, struct build_id_note *note)
{
	memset(note, 0, sizeof(*note));
	if (!address || host_read_kernel(note, address, offsetof(struct build_id_note, id)) || !looks_like_note(note))
		return -ENOENT;
	return host_read_kernel(note->id, address + offsetof(struct build_id_note, id), note->id_size) ? -ENOENT : 0;
}

// The same of a program's file: 0; -ENOENT when it is not there; -ESTALE when there is no note in it.
static int read_file_note(const struct stap_module_id *m, struct build_id_note *note)
{
	struct file *file = file_open_regular(m->path);
	loff_t at = m->notes_offset;
	ssize_t got;

	memset(note, 0, sizeof(*note));
	if (IS_ERR(file))
		return -ENOENT;
	got = kernel_read(file, note, sizeof(*note), &at);
	fput(file);
	return got > (ssize_t)offsetof(struct build_id_note, id) && looks_like_note(note) ? 0 : -ESTALE;
}

// Each probe on a file that is not there says so by itself.
static int check_file(struct stap_program *p, const struct stap_module_id *m)
{
	struct build_id_note note;

	int rc = m->build_id_len ? read_file_note(m, &note) : -ENOENT;

	if (rc == -ENOENT)
		return 0;
	if (!rc && note.id_size == m->build_id_len && !memcmp(note.id, m->build_id, note.id_size))
		return 0;
	report(p, STAP_RECORD_ERROR, "build-id mismatch: \"%s\" is %*phN, the script was compiled for %*phN", m->path,
	       rc ? 0 : (int)note.id_size, note.id, (int)min_t(u32, m->build_id_len, MAX_BUILD_ID), m->build_id);
	return -ESTALE;
}

static int check(struct stap_program *p, const struct stap_module_id *m)
{
	const char *name = m->module ?: "kernel";
	struct build_id_note note;

	if (!m->build_id_len)
		return 0;
	if (read_note(note_address(m), &note)) {
		report(p, STAP_RECORD_ERROR,
		       addresses_is_kernel(m->module)
			       ? "build-id mismatch: no build-id is where that of \"%s\" should be: this is another kernel"
			       : "build-id mismatch: the build-id of \"%s\" can't be read: is the module loaded?",
		       name);
		return -ESTALE;
	}
	if (note.id_size != m->build_id_len || memcmp(note.id, m->build_id, note.id_size)) {
		report(p, STAP_RECORD_ERROR, "build-id mismatch: \"%s\" is %*phN, the script was compiled for %*phN",
		       name, (int)note.id_size, note.id, (int)min_t(u32, m->build_id_len, MAX_BUILD_ID), m->build_id);
		return -ESTALE;
	}
	return 0;
}

int buildid_check_all(struct stap_program *p)
{
	int rc = 0;
	u32 i;

	for (i = 0; i < p->module_count; i++)
		rc = (p->modules[i].path ? check_file(p, &p->modules[i]) : check(p, &p->modules[i])) ?: rc;
	return rc;
}
