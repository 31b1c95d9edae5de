// SPDX-License-Identifier: GPL-2.0-or-later
// What was mapped in a process, for libdwfl: its files, their symbols, and the unwinding of its stacks.
//
// A space (struct stap_user_place) is asked for once, when its first address or stack comes: the script has kept what
// the process had mapped then. Where it has not, /proc shows what the process has now, if there is one still.
//
// The files belong to whoever is traced, and so do the bytes of the stack. libdw reads both as what they are, bytes of
// no known worth; what it can't make sense of ends a stack, or leaves an address without a name.
#define _GNU_SOURCE
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "abi/registers_x86_64.h"
#include "space.h"

#define VDSO "[vdso]"

struct space {
	Dwfl *dwfl;
	int can_unwind; // libdwfl was told how to read a stack
	struct stap_user_mapping *mappings;
	u32 mapping_count;
	// Of the stack that is being unwound:
	const struct user_stack *stack;
	struct frame_list *list;
};

// --- reporting what is mapped ---

// The kernel has mapped the same code in all processes, this one included.
static int find_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **file_name, Elf **elf)
{
	char *image = (char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;

	(void)module;
	(void)data;
	(void)base;
	(void)file_name;
	if (!image || strcmp(name, VDSO))
		return -1;
	*elf = elf_memory(image, head->e_shoff + (size_t)head->e_shnum * head->e_shentsize);
	return -1; // not by a file descriptor
}

static char *debuginfo_path; // the default of libdwfl: .debug beside the file, and /usr/lib/debug

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &debuginfo_path,
};

static int open_quietly(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

// By the path, as this process sees it or as the traced one does; a file that has gone, as long as that process maps
// it.
static int open_file(const struct stap_user_mapping *m, const char *path, u32 process)
{
	char other[4352];
	int fd = open_quietly(path);

	if (fd >= 0)
		return fd;
	snprintf(other, sizeof(other), "/proc/%u/root%s", process, path);
	fd = open_quietly(other);
	if (fd >= 0)
		return fd;
	snprintf(other, sizeof(other), "/proc/%u/map_files/%llx-%llx", process, (unsigned long long)m->start,
		 (unsigned long long)m->end);
	return open_quietly(other);
}

// By how much the addresses in memory are above those in the file, given which part is mapped where.
static int find_bias(int fd, const struct stap_user_mapping *m, u64 *bias)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	size_t count = 0;
	GElf_Phdr header;
	int found = 0;

	if (!elf || elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count && !found; i++) {
		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X))
			continue;
		if (m->offset > header.p_offset || header.p_offset - m->offset >= m->end - m->start)
			continue;
		*bias = m->start + (header.p_offset - m->offset) - header.p_vaddr;
		found = 1;
	}
	elf_end(elf);
	return found;
}

static void report_mapping(Dwfl *dwfl, const struct stap_user_mapping *m, const char *path, int kept_fd, u32 process)
{
	u64 bias;
	int fd;

	if (!strcmp(path, VDSO)) {
		dwfl_report_module(dwfl, path, m->start, m->end);
		return;
	}
	if (path[0] != '/')
		return;
	fd = kept_fd >= 0 ? kept_fd : open_file(m, path, process);
	if (fd < 0)
		return;
	// When it succeeds the descriptor is libdwfl's.
	if (!find_bias(fd, m, &bias) || !dwfl_report_elf(dwfl, path, path, fd, bias, true))
		close(fd);
}

static int add_mapping(struct space *s, const struct stap_user_mapping *m)
{
	struct stap_user_mapping *larger = realloc(s->mappings, (s->mapping_count + 1) * sizeof(*larger));

	if (!larger)
		return -1;
	s->mappings = larger;
	s->mappings[s->mapping_count++] = *m;
	return 0;
}

struct space *space_create(const char *mappings, size_t size, u32 process, const struct kept_files *kept,
			   kept_open *open_kept)
{
	struct space *s = calloc(1, sizeof(*s));
	struct stap_user_mapping m;
	char path[4096];

	if (!s)
		return NULL;
	s->dwfl = dwfl_begin(&callbacks);
	if (!s->dwfl) {
		free(s);
		return NULL;
	}
	dwfl_report_begin(s->dwfl);
	for (size_t at = 0; at + sizeof(m) <= size; at += (sizeof(m) + m.path_length + 7) & ~7ull) {
		memcpy(&m, mappings + at, sizeof(m));
		if (m.path_length >= sizeof(path) || m.path_length > size - at - sizeof(m))
			break;
		memcpy(path, mappings + at + sizeof(m), m.path_length);
		path[m.path_length] = 0;
		if (add_mapping(s, &m))
			break;
		report_mapping(s->dwfl, &m, path, open_kept(kept, path), process);
	}
	dwfl_report_end(s->dwfl, NULL, NULL);
	return s;
}

void space_destroy(struct space *s)
{
	if (!s)
		return;
	dwfl_end(s->dwfl);
	free(s->mappings);
	free(s);
}

Dwfl *space_dwfl(struct space *s)
{
	return s->dwfl;
}

int space_maps(const struct space *s, u64 address)
{
	for (u32 i = 0; i < s->mapping_count; i++)
		if (address >= s->mappings[i].start && address < s->mappings[i].end)
			return 1;
	return 0;
}

// --- unwinding ---

static pid_t next_thread(Dwfl *dwfl, void *data, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = data;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t thread, void *data, void **found)
{
	(void)dwfl;
	(void)thread;
	*found = data;
	return true;
}

// Reads a word of the part of the stack that was at `start`.
static bool read_part(const char *bytes, u32 size, u64 start, Dwarf_Addr address, Dwarf_Word *word)
{
	if (address < start || size < sizeof(*word) || address - start > size - sizeof(*word))
		return false;
	memcpy(word, bytes + (address - start), sizeof(*word));
	return true;
}

// What was recorded of the stack; nothing else of the process's memory is known.
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *data)
{
	const struct user_stack *stack = ((struct space *)data)->stack;
	const struct stap_record_user_stack *head = &stack->head;

	(void)dwfl;
	return read_part(stack->bytes, head->first_size, head->registers[STAP_STACK_REGISTER], address, word) ||
	       read_part(stack->bytes + head->first_size, stack->size - head->first_size, head->interrupted, address,
			 word);
}

// The last of them, where the code is, counts among the others too: rules for the table that leads to libraries'
// functions (.plt) look at it.
static bool set_registers(Dwfl_Thread *thread, void *data)
{
	const struct user_stack *stack = ((struct space *)data)->stack;
	Dwarf_Word registers[STAP_DWARF_REGISTER_LAST + 1];

	for (unsigned i = 0; i <= STAP_DWARF_REGISTER_LAST; i++)
		registers[i] = stack->head.registers[i];
	dwfl_thread_state_register_pc(thread, registers[STAP_DWARF_REGISTER_LAST]);
	return dwfl_thread_state_registers(thread, 0, STAP_DWARF_REGISTER_LAST + 1, registers);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

// Behind code that no file has, which a process may have generated, libdwfl takes what seems to be the frame pointer.
// The stack ends where that leads to something that is no code.
static int is_guess(const struct space *s, u64 address)
{
	const u64 before = s->list->count ? s->list->frames[s->list->count - 1].address : 0;

	return s->list->count && !dwfl_addrmodule(s->dwfl, before) && !space_maps(s, address);
}

static int take_frame(Dwfl_Frame *frame, void *data)
{
	struct space *s = data;
	struct user_frame *to;
	bool is_exact;
	Dwarf_Addr pc;

	if (s->list->count >= s->list->max || !dwfl_frame_pc(frame, &pc, &is_exact) || is_guess(s, pc))
		return DWARF_CB_ABORT;
	to = &s->list->frames[s->list->count++];
	*to = (struct user_frame){.address = pc, .is_exact = is_exact};
	return DWARF_CB_OK;
}

void space_unwind(struct space *s, const struct user_stack *stack, struct frame_list *list)
{
	s->stack = stack;
	s->list = list;
	list->count = 0;
	if (!s->can_unwind)
		s->can_unwind = dwfl_attach_state(s->dwfl, NULL, 1, &thread_callbacks, s);
	if (s->can_unwind)
		dwfl_getthread_frames(s->dwfl, 1, take_frame, s);
	// A process without a single file that can be read has where it was all the same.
	if (!list->count && list->max)
		list->frames[list->count++] = (struct user_frame){stack->head.place.address, 1};
}
