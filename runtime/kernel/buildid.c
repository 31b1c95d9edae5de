// SPDX-License-Identifier: GPL-2.0-or-later
// Refuses a kernel that the script was not compiled for, and leaves such modules alone: addresses and structure layouts
// would be lies.
//
// A build-id is an ELF note {u32 namesz = 4, descsz, type = 3 (NT_GNU_BUILD_ID); "GNU\0"; desc} that
// stays in memory: the kernel's at a known offset from _stext, a module's in its section .note.gnu.build-id. Of a
// module that is being loaded nobody tells where that is, so it is searched for. A program's is read in its file.
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include "compat.h"
#include "kernel.h"

#define NT_GNU_BUILD_ID 3
#define MAX_BUILD_ID    20

struct build_id_note {
	u32 name_size, id_size, type;
	char name[4];
	u8 id[MAX_BUILD_ID];
};

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

// The same words for a module that is loaded now and one that is loaded later.
static const char other_build[] = "module \"%s\" is another build than the script was compiled for, and is left alone: "
				  "its build-id is %*phN, the script's %*phN";

static bool is_expected(const struct stap_module_id *m, const struct build_id_note *note)
{
	return note->id_size == m->build_id_len && !memcmp(note->id, m->build_id, note->id_size);
}

static int check_kernel(struct stap_program *p, const struct stap_module_id *m)
{
	struct build_id_note note;

	if (read_note(addresses_find(NULL, NULL, m->notes_offset), &note)) {
		report(p, STAP_RECORD_ERROR,
		       "build-id mismatch: no build-id is where that of \"kernel\" should be: this is another kernel");
		return -ESTALE;
	}
	if (is_expected(m, &note))
		return 0;
	report(p, STAP_RECORD_ERROR, "build-id mismatch: \"kernel\" is %*phN, the script was compiled for %*phN",
	       (int)note.id_size, note.id, (int)min_t(u32, m->build_id_len, MAX_BUILD_ID), m->build_id);
	return -ESTALE;
}

// A script does without a module: one that is not loaded, or is another build, is as one that may be loaded later.
static void check_module(struct stap_program *p, const struct stap_module_id *m)
{
	struct build_id_note note;

	if (!addresses_is_loaded(m->module))
		return;
	if (!read_note(addresses_find(m->module, ".note.gnu.build-id", 0), &note) && is_expected(m, &note))
		return;
	report(p, STAP_RECORD_WARN, other_build, m->module, (int)note.id_size, note.id,
	       (int)min_t(u32, m->build_id_len, MAX_BUILD_ID), m->build_id);
	addresses_module_goes(m->module, false);
}

int buildid_check_all(struct stap_program *p)
{
	const struct stap_module_id *m;
	int rc = 0;
	u32 i;

	for (i = 0; i < p->module_count; i++) {
		m = &p->modules[i];
		if (m->path)
			rc = check_file(p, m) ?: rc;
		else if (m->build_id_len && addresses_is_kernel(m->module))
			rc = check_kernel(p, m) ?: rc;
		else if (m->build_id_len)
			check_module(p, m);
	}
	return rc;
}

// The next note that looks like a build-id, from *at on, which becomes what lies behind its head. False: there is none.
// Constants of the module may look like one too.
static bool next_note(const char *constants, u64 size, u64 *at, struct build_id_note *note)
{
	for (; *at + offsetof(struct build_id_note, id) < size; *at += sizeof(u32)) {
		if (*(const u32 *)(constants + *at) != sizeof(note->name) || read_note((u64)constants + *at, note))
			continue;
		*at += offsetof(struct build_id_note, id);
		return true;
	}
	return false;
}

int buildid_find(const struct module *module, const struct stap_module_id *m)
{
	struct build_id_note note = {}, other = {};
	u64 size, at = 0;
	const char *constants = compat_module_constants(module, &size);

	if (!m->build_id_len)
		return 0;
	while (next_note(constants, size, &at, &note)) {
		if (is_expected(m, &note))
			return 0;
		other = note;
	}
	report_later(STAP_RECORD_WARN, other_build, m->module, (int)other.id_size, other.id,
		     (int)min_t(u32, m->build_id_len, MAX_BUILD_ID), m->build_id);
	return -ESTALE;
}
