// SPDX-License-Identifier: GPL-2.0-or-later
// What a record's addresses are called: the strings that a handler left to its reader, and the lines of a stack.
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "abi/bounds.h"
#include "dwarf_library.h"
#include "kept.h"

#define CHUNK       65536
#define MAX_INLINED 16 // functions at one address

// The strings that were handed out for the present event.
struct chunk {
	struct chunk *next;
	size_t used, size;
	char text[];
};

struct symbols {
	struct kallsyms *kernel;   // NULL: the script does not run in the kernel, whose addresses mean nothing then
	struct kallsyms *at_start; // as the kernel and its modules were then; NULL: that was not asked for
	struct kept_files *kept;
	struct kernel_source *kernel_source; // NULL: nothing has asked for it
	struct spaces *spaces;
	struct chunk *strings;
	struct event_frame *frames;
	u32 frame_count, frame_room;
};

struct symbols *symbols_create(const struct script *script)
{
	struct symbols *s = calloc(1, sizeof(*s));
	int complete;

	if (!s)
		return NULL;
	s->kept = kept_files_create();
	s->spaces = spaces_create(script, s->kept);
	complete = s->kept && s->spaces;
	if (!script->pid) {
		s->kernel = kallsyms_create();
		complete &= s->kernel != NULL;
	}
	if (complete)
		return s;
	symbols_destroy(s);
	return NULL;
}

void symbols_destroy(struct symbols *s)
{
	if (!s)
		return;
	symbols_release(s);
	free(s->strings);
	kallsyms_destroy(s->kernel);
	kallsyms_destroy(s->at_start);
	if (s->kernel_source)
		dwarf_library()->kernel_destroy(s->kernel_source);
	spaces_destroy(s->spaces);
	kept_files_destroy(s->kept);
	free(s->frames);
	free(s);
}

// Tells the script what its handlers want to know of a file.
static void tell_file(void *data, const char *path, int fd)
{
	const struct dwarf_library *library = dwarf_library();
	const struct script *script = data;
	struct stap_ioc_user_file told = {.fd = fd};
	struct user_file file;

	if (library->user_file_read(path, fd, script->shm->wants_user_files, &file))
		return;
	told.names = (u64)(uintptr_t)file.names;
	told.names_size = file.names_size;
	told.symbols = (u64)(uintptr_t)file.symbols;
	told.symbol_count = file.symbol_count;
	told.rules = (u64)(uintptr_t)file.rules;
	told.rule_count = file.rule_count;
	if (ioctl(script->proc_fd, STAP_IOC_USER_FILE, &told))
		warning("handlers will not know the functions of %s: %s", path, strerror(errno));
	library->user_file_free(&file);
}

void symbols_keep(struct symbols *s, const struct script *script, const struct options *o,
		  const struct stap_str *points, u32 count)
{
	for (unsigned i = 0; i < o->symbols_count; i++) {
		if (strchr(o->symbols[i], '/')) {
			if (kept_files_add(s->kept, o->symbols[i]))
				warning("there are no symbols of %s: it can't be read", o->symbols[i]);
		} else if (s->kernel && !s->at_start) {
			s->at_start = kallsyms_create();
			if (s->at_start)
				kallsyms_text(s->at_start);
		}
	}
	if (!o->with_libraries && !script->shm->wants_user_files)
		return;
	kept_files_add_programs(s->kept, points, count);
	if (o->target_pid)
		kept_files_add_mapped(s->kept, (u32)o->target_pid);
	if (o->command)
		kept_files_add_command(s->kept, o->command);
	kept_files_add_libraries(s->kept);
	if (script->shm->wants_user_files && !script->pid && dwarf_library())
		kept_files_visit(s->kept, tell_file, (void *)script);
}

void symbols_release(struct symbols *s)
{
	struct chunk *next;

	for (; s->strings && s->strings->next; s->strings = next) {
		next = s->strings->next;
		free(s->strings);
	}
	if (s->strings)
		s->strings->used = 0;
	s->frame_count = 0;
}

// A string that stays until the release.
static struct stap_str __attribute__((format(printf, 2, 3))) text(struct symbols *s, const char *format, ...)
{
	struct chunk *c = s->strings;
	va_list args;
	size_t room;
	char *to;
	int n;

	for (;;) {
		to = c ? c->text + c->used : NULL;
		room = c ? c->size - c->used : 0;
		va_start(args, format);
		n = vsnprintf(to, room, format, args);
		va_end(args);
		if (n < 0)
			return (struct stap_str){"", 0};
		if ((size_t)n < room) {
			c->used += (size_t)n;
			return (struct stap_str){to, (u32)n};
		}
		room = (size_t)n < CHUNK ? CHUNK : (size_t)n + 1;
		c = malloc(sizeof(*c) + room);
		if (!c)
			return (struct stap_str){"", 0};
		*c = (struct chunk){.next = s->strings, .size = room};
		s->strings = c;
	}
}

static struct stap_str number(struct symbols *s, u64 address)
{
	return text(s, "0x%llx", (unsigned long long)address);
}

// "fs/read_write.c", "450", "fs/read_write.c:450", of which files are known by that name.
static struct stap_str source_text(struct symbols *s, enum stap_arg_type type, Dwfl *dwfl, u64 place, u64 address)
{
	const char *file;
	const int line = dwfl ? dwarf_library()->line(dwfl, place, &file) : 0;

	if (!line)
		return number(s, address);
	switch (type) {
	case STAP_TYPE_SYMFILE:
	case STAP_TYPE_USYMFILE: return text(s, "%s", file);
	case STAP_TYPE_SYMLINE:
	case STAP_TYPE_USYMLINE: return text(s, "%d", line);
	default: return text(s, "%s:%d", file, line);
	}
}

static struct stap_str demangled(struct symbols *s, const char *name)
{
	char *plain = dwarf_library()->demangled(name);
	// A file's own table may have the symbol's version with its name: "__libc_start_main@@GLIBC_2.34".
	struct stap_str result =
		plain ? text(s, "%s", plain) : text(s, "%.*s", (int)(name[0] ? 1 + strcspn(name + 1, "@") : 0), name);

	free(plain);
	return result;
}

// --- of the kernel ---

// "vfs_read+0x0/0x1b0", "veth_xmit+0x12/0x340 [veth]"
static struct stap_str kernel_data(struct symbols *s, const struct kernel_symbol *symbol, u64 address)
{
	return text(s, "%s+0x%llx/0x%llx%s%s%s", symbol->name, (unsigned long long)(address - symbol->start),
		    (unsigned long long)(symbol->end - symbol->start), symbol->module ? " [" : "",
		    symbol->module ? symbol->module : "", symbol->module ? "]" : "");
}

// The kernel's debuginfo, and the address as it has it.
static Dwfl *kernel_dwfl(struct symbols *s, u64 address, u64 *place)
{
	const struct dwarf_library *library = s->kernel ? dwarf_library() : NULL;

	*place = address;
	if (library && !s->kernel_source)
		s->kernel_source = library->kernel_create();
	return s->kernel_source ? library->kernel_find(s->kernel_source, kallsyms_text(s->kernel), address, place)
				: NULL;
}

struct stap_str symbols_kernel(struct symbols *s, enum stap_arg_type type, u64 address)
{
	const int is_source = type != STAP_TYPE_SYMNAME && type != STAP_TYPE_SYMDATA;
	struct kernel_symbol symbol;
	u64 place;

	if (!s->kernel)
		return number(s, address);
	if (is_source) {
		Dwfl *dwfl = kernel_dwfl(s, address, &place);

		return source_text(s, type, dwfl, place, address);
	}
	if (!kallsyms_find(s->kernel, address, &symbol) &&
	    !(s->at_start && kallsyms_find_known(s->at_start, address, &symbol)))
		return number(s, address);
	return type == STAP_TYPE_SYMNAME ? text(s, "%s", symbol.name) : kernel_data(s, &symbol, address);
}

// --- of a process ---

// "main+0x14/0x21", without its size and the file "main+0x14"; the address where there is no name.
static struct stap_str user_name(struct symbols *s, const struct source_symbol *symbol, u64 address, int with_size)
{
	struct stap_str name;

	if (!symbol->name)
		return number(s, address);
	name = demangled(s, symbol->name);
	return with_size ? text(s, "%.*s+0x%llx/0x%llx", (int)name.len, name.ptr, (unsigned long long)symbol->offset,
				(unsigned long long)symbol->size)
			 : text(s, "%.*s+0x%llx", (int)name.len, name.ptr, (unsigned long long)symbol->offset);
}

// " [/usr/bin/program]", of an address without a name " [/usr/bin/program+0x1136/0x4000]".
static struct stap_str user_file(struct symbols *s, const struct source_symbol *symbol, u64 address)
{
	if (symbol->name)
		return text(s, " [%s]", symbol->file);
	return text(s, " [%s+0x%llx/0x%llx]", symbol->file, (unsigned long long)(address - symbol->file_start),
		    (unsigned long long)symbol->file_size);
}

// The space of the place, or where the address is another process's that of one which has something there. NULL: none.
static struct space *space_with(struct symbols *s, const struct stap_user_place *at)
{
	struct space *own = spaces_find(s->spaces, at), *other;

	if (!own || dwarf_library()->space_maps(own, at->address))
		return own;
	other = spaces_find_any(s->spaces, at->address);
	return other ? other : own; // which is still there: nothing else was looked for
}

struct stap_str symbols_user(struct symbols *s, enum stap_arg_type type, const struct stap_user_place *at)
{
	struct space *space = space_with(s, at);
	struct source_symbol symbol;
	struct stap_str name, file;

	if (!space)
		return number(s, at->address);
	if (type != STAP_TYPE_USYMNAME && type != STAP_TYPE_USYMDATA)
		return source_text(s, type, dwarf_library()->space_dwfl(space), at->address, at->address);
	if (!dwarf_library()->symbol(dwarf_library()->space_dwfl(space), at->address, at->address, &symbol) ||
	    (type == STAP_TYPE_USYMNAME && !symbol.name))
		return number(s, at->address);
	if (type == STAP_TYPE_USYMNAME)
		return demangled(s, symbol.name);
	name = user_name(s, &symbol, at->address, 1);
	file = user_file(s, &symbol, at->address);
	return text(s, "%.*s%.*s", (int)name.len, name.ptr, (int)file.len, file.ptr);
}

struct stap_str symbols_user_lines(struct symbols *s, const struct stap_user_place *whose, struct stap_str addresses)
{
	struct stap_str all = {"", 0}, one;
	struct stap_user_place at = *whose;
	u32 next;

	for (u32 i = 0; i < addresses.len; i = next + 1) {
		char digits[32] = "";

		for (next = i; next < addresses.len && addresses.ptr[next] != ' ' && addresses.ptr[next] != '\n';)
			next++;
		if (next == i || next - i >= sizeof(digits))
			continue;
		memcpy(digits, addresses.ptr + i, next - i);
		at.address = strtoull(digits, NULL, 16);
		one = symbols_user(s, STAP_TYPE_USYMDATA, &at);
		all = text(s, "%.*s%.*s\n", (int)all.len, all.ptr, (int)one.len, one.ptr);
	}
	return all;
}

// --- stacks ---

static struct event_frame *add_frame(struct symbols *s, u64 address)
{
	struct event_frame *larger;

	if (s->frame_count == s->frame_room) {
		larger = realloc(s->frames, (s->frame_room + 128) * sizeof(*larger));
		if (!larger)
			return NULL;
		s->frames = larger;
		s->frame_room += 128;
	}
	s->frames[s->frame_count] = (struct event_frame){.address = address};
	return &s->frames[s->frame_count++];
}

// The lines of one address with their places in the source: of each inlined function, then of the one that has it.
static void add_source_frames(struct symbols *s, u64 address, Dwfl *dwfl, u64 place, struct stap_str symbol,
			      struct stap_str file)
{
	struct source_inlined copies[MAX_INLINED];
	const unsigned count = dwfl ? dwarf_library()->inlined(dwfl, place, copies, MAX_INLINED) : 0;
	const char *source = NULL;
	int line = dwfl ? dwarf_library()->line(dwfl, place, &source) : 0;
	struct event_frame *frame;

	for (unsigned i = 0; i <= count; i++) {
		struct stap_str name = i < count ? demangled(s, copies[i].name) : symbol;

		frame = add_frame(s, address);
		if (!frame)
			return;
		frame->symbol = i < count ? text(s, "%.*s (inlined)", (int)name.len, name.ptr) : name;
		if (line)
			frame->symbol = text(s, "%.*s at %s:%d%.*s", (int)frame->symbol.len, frame->symbol.ptr, source,
					     line, (int)file.len, file.ptr);
		else
			frame->symbol =
				text(s, "%.*s%.*s", (int)frame->symbol.len, frame->symbol.ptr, (int)file.len, file.ptr);
		if (i < count) {
			source = copies[i].call_file;
			line = source ? copies[i].call_line : 0;
		}
	}
}

static void add_kernel_frame(struct symbols *s, enum stap_stack_form form, u64 address, int is_exact)
{
	struct stap_str symbol = symbols_kernel(s, STAP_TYPE_SYMDATA, address), none = {"", 0};
	struct event_frame *frame;
	u64 place;

	if (form == STAP_STACK_FILELINE) {
		Dwfl *dwfl = kernel_dwfl(s, address - !is_exact, &place);

		add_source_frames(s, address, dwfl, place, symbol, none);
		return;
	}
	frame = add_frame(s, address);
	if (frame)
		frame->symbol = symbol;
}

const struct event_frame *symbols_stack(struct symbols *s, enum stap_stack_form form, const char *addresses, u32 count,
					u32 *frame_count)
{
	u64 address;

	for (u32 i = 0; i < count; i++) {
		memcpy(&address, addresses + i * sizeof(address), sizeof(address));
		add_kernel_frame(s, form, address, i == 0);
	}
	*frame_count = s->frame_count;
	return s->frames;
}

static void add_user_frame(struct symbols *s, enum stap_stack_form form, struct space *space, u64 address, int is_exact)
{
	const u64 place = address - !is_exact;
	struct source_symbol symbol;
	struct stap_str name = {"", 0}, file = {"", 0};
	const int known = space && dwarf_library()->symbol(dwarf_library()->space_dwfl(space), address, place, &symbol);
	struct event_frame *frame;

	name = known ? user_name(s, &symbol, address, form != STAP_STACK_BRIEF) : number(s, address);
	if (known)
		file = user_file(s, &symbol, address);
	if (form == STAP_STACK_FILELINE) {
		add_source_frames(s, address, known ? dwarf_library()->space_dwfl(space) : NULL, place, name, file);
		return;
	}
	frame = add_frame(s, address);
	if (!frame)
		return;
	frame->symbol = name;
	if (form == STAP_STACK_DATA)
		frame->symbol = text(s, "%.*s%.*s", (int)name.len, name.ptr, (int)file.len, file.ptr);
}

const struct event_frame *symbols_user_addresses(struct symbols *s, enum stap_stack_form form,
						 const struct stap_user_place *whose, const char *addresses, u32 count,
						 u32 *frame_count)
{
	struct stap_user_place at = *whose;

	for (u32 i = 0; i < count; i++) {
		memcpy(&at.address, addresses + i * sizeof(at.address), sizeof(at.address));
		add_user_frame(s, form, space_with(s, &at), at.address, i == 0);
	}
	*frame_count = s->frame_count;
	return s->frames;
}

const struct event_frame *symbols_user_stack(struct symbols *s, const struct stap_record_user_stack *head,
					     const char *bytes, u32 size, u32 *frame_count)
{
	struct space *space = spaces_find(s->spaces, &head->place);
	const struct user_stack stack = {*head, bytes, size};
	struct user_frame frames[STAP_MAX_BACKTRACE];
	struct frame_list list = {frames, 0,
				  head->max_frames < STAP_MAX_BACKTRACE ? head->max_frames : STAP_MAX_BACKTRACE};

	if (space)
		dwarf_library()->space_unwind(space, &stack, &list);
	for (u32 i = 0; i < list.count; i++)
		add_user_frame(s, head->form, space, frames[i].address, frames[i].is_exact);
	*frame_count = s->frame_count;
	return s->frames;
}
