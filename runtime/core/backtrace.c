// SPDX-License-Identifier: GPL-2.0-or-later
// Stacks: as text for a script that looks at them, and as records when it only prints them.
//
// A process's stack that is printed is unwound by the reader, from registers and a copy of the stack's bytes; one that
// the script looks at is walked here, by what the reader has told of the code, and by frame pointers elsewhere.
#include "core.h"
#include "../abi/registers_x86_64.h"
#include "../abi/text.h"

#define ADDRESS_TEXT 19 // "0x", 16 digits and a space

// How the addresses of a stack are got: temporary storage, at most `max`; NULL when there are none.
typedef const u64 *get_frames(struct stap_ctx *c, u32 max, u32 *count);

static u64 *room_for(struct stap_ctx *c, u32 count)
{
	char *room = stap_temp_alloc(c, (count + 1) * (u32)sizeof(u64));

	return room ? (u64 *)(((unsigned long)room + sizeof(u64) - 1) & ~(sizeof(u64) - 1)) : STAP_NULL;
}

// Code that was compiled with frame pointers keeps the caller's below the return address. As host_user_caller(), but
// for 1 when there is none.
static int follow_frame_pointer(struct stap_ctx *c, struct stap_user_frame *frame, int *is_exact)
{
	const u64 at = (u64)frame->fp;
	u64 words[2];

	if (at < (u64)frame->sp || host_read_user(words, at, sizeof(words)))
		return 1;
	frame->pc = (s64)host_user_return(c, at + sizeof(u64), words[1]);
	frame->sp = (s64)(at + sizeof(words));
	frame->fp = words[0] > at ? (s64)words[0] : 0;
	*is_exact = 0;
	return 0;
}

static const u64 *user_frames(struct stap_ctx *c, u32 max, u32 *count)
{
	const struct stap_regs *regs = host_user_regs(c->event->regs);
	u64 *frames = regs && max ? room_for(c, max) : STAP_NULL;
	struct stap_user_frame frame;
	int is_exact = 1, end = 0;
	u32 n = 0;

	*count = 0;
	if (!frames)
		return STAP_NULL;
	host_user_space(); // who prints the addresses later has to know what was mapped
	frame = (struct stap_user_frame){.pc = (s64)regs->ip, .sp = (s64)regs->sp, .fp = (s64)regs->bp};
	while (n < max && !end && frame.pc) {
		frames[n++] = (u64)frame.pc;
		end = n < max ? host_user_caller(c, &frame, &is_exact) : 1;
		if (end < 0)
			end = follow_frame_pointer(c, &frame, &is_exact);
	}
	*count = n;
	return frames;
}

static struct stap_str stack_text(struct stap_ctx *c, get_frames *get, u32 max)
{
	const struct stap_limits *limits = &stap_core.program->limits;
	const u32 fitting = limits->max_string_len / ADDRESS_TEXT; // no address is cut
	u32 count, used = 0;
	const u64 *frames;
	char *text;

	max = max && max < STAP_MAX_BACKTRACE ? max : max ? STAP_MAX_BACKTRACE : limits->max_backtrace;
	frames = get(c, max < fitting ? max : fitting, &count);
	text = count ? stap_temp_alloc(c, count * ADDRESS_TEXT) : STAP_NULL;
	if (!text)
		return STAP_STR("");
	for (u32 i = 0; i < count; i++) {
		used = stap_append(text, count * ADDRESS_TEXT, used, i ? STAP_STR(" 0x") : STAP_STR("0x"));
		used = stap_append_hex(text, count * ADDRESS_TEXT, used, frames[i]);
	}
	return (struct stap_str){text, used};
}

struct stap_str stap_address_text(struct stap_ctx *c, stap_long address)
{
	char *text = stap_temp_alloc(c, ADDRESS_TEXT);
	u32 used;

	if (!text)
		return STAP_STR("");
	used = stap_append(text, ADDRESS_TEXT, 0, STAP_STR("0x"));
	return (struct stap_str){text, stap_append_hex(text, ADDRESS_TEXT, used, (u64)address)};
}

static stap_long address_at(struct stap_ctx *c, get_frames *get, stap_long level)
{
	const u32 mark = stap_temps(c);
	const u64 *frames;
	stap_long address;
	u32 count;

	if (level < 0 || level >= stap_core.program->limits.max_backtrace)
		return 0;
	frames = get(c, (u32)level + 1, &count);
	address = level < count ? (stap_long)frames[level] : 0;
	stap_temps_release(c, mark);
	return address;
}

// The number that begins at *at, hexadecimal with 0x or without, behind any blanks: 1; 0 at the end of the text.
static int next_address(struct stap_str text, u32 *at, u64 *address)
{
	u32 start;

	while (*at < text.len && (text.ptr[*at] == ' ' || text.ptr[*at] == '\n'))
		(*at)++;
	start = *at;
	while (*at < text.len && text.ptr[*at] != ' ' && text.ptr[*at] != '\n')
		(*at)++;
	*address = (u64)stap_text_to_long((struct stap_str){text.ptr + start, *at - start}, 16);
	return *at > start;
}

static void print_addresses(struct stap_ctx *c, struct stap_str addresses, u32 kind, u32 form)
{
	const u32 mark = stap_temps(c);
	u32 count = 0, at = 0;
	u64 *frames, address;

	while (next_address(addresses, &at, &address))
		count++;
	frames = count ? room_for(c, count) : STAP_NULL;
	at = count = 0;
	while (frames && next_address(addresses, &at, &address))
		frames[count++] = address;
	if (count)
		stap_emit_stack(c, kind, form, frames, count);
	stap_temps_release(c, mark);
}

// --- the kernel's ---

struct stap_str stap_backtrace(struct stap_ctx *c, u32 max)
{
	return stack_text(c, host_backtrace, max);
}

stap_long stap_stack_address(struct stap_ctx *c, stap_long level)
{
	return address_at(c, host_backtrace, level);
}

void stap_print_backtrace(struct stap_ctx *c, u32 form)
{
	const u32 mark = stap_temps(c);
	u32 count;
	const u64 *frames = host_backtrace(c, stap_core.program->limits.max_backtrace, &count);

	if (count)
		stap_emit_stack(c, STAP_RECORD_STACK, form, frames, count);
	stap_temps_release(c, mark);
}

void stap_print_addresses(struct stap_ctx *c, struct stap_str addresses, u32 form)
{
	print_addresses(c, addresses, STAP_RECORD_STACK, form);
}

// --- a process's ---

struct stap_user_place stap_user_place(struct stap_ctx *c, stap_long address)
{
	return (struct stap_user_place){(u64)address, host_user_space(), (u32)stap_task_tgid(c)};
}

stap_long stap_user_address(struct stap_ctx *c)
{
	host_user_space();
	return (stap_long)stap_user_reg(c, STAP_DWARF_REGISTER_LAST);
}

struct stap_str stap_user_module(struct stap_ctx *c, stap_long address)
{
	return host_user_module(c, (u64)address);
}

struct stap_str stap_ubacktrace(struct stap_ctx *c, u32 max)
{
	return stack_text(c, user_frames, max);
}

stap_long stap_ustack_address(struct stap_ctx *c, stap_long level)
{
	return address_at(c, user_frames, level);
}

stap_long stap_ureturn_address(struct stap_ctx *c, stap_long at)
{
	u64 found;

	return host_read_user(&found, (u64)at, sizeof(found)) ? 0 : (stap_long)host_user_return(c, (u64)at, found);
}

struct stap_str stap_user_symbol_name(struct stap_ctx *c, stap_long address)
{
	struct host_user_symbol symbol;

	return host_user_symbol(c, (u64)address, &symbol) ? stap_str_copy(c, stap_cstr(symbol.name))
							  : stap_address_text(c, address);
}

static u32 append_number(char *text, u32 room, u32 used, struct stap_str before, u64 number)
{
	return stap_append_hex(text, room, stap_append(text, room, used, before), number);
}

// What stap_user_symbol_data() gives.
static u32 append_symbol(const struct stap_ctx *c, char *text, u32 room, u32 used, u64 address)
{
	struct host_user_symbol symbol;

	if (!host_user_symbol(c, address, &symbol))
		return append_number(text, room, used, STAP_STR("0x"), address);
	used = stap_append(text, room, used, stap_cstr(symbol.name));
	used = append_number(text, room, used, STAP_STR("+0x"), symbol.offset);
	used = append_number(text, room, used, STAP_STR("/0x"), symbol.size);
	used = stap_append(text, room, used, STAP_STR(" ["));
	used = stap_append(text, room, used, stap_cstr(symbol.path));
	return stap_append(text, room, used, STAP_STR("]"));
}

struct stap_str stap_user_symbol_data(struct stap_ctx *c, stap_long address)
{
	const u32 room = stap_core.program->limits.max_string_len;
	char *text = stap_temp_alloc(c, room);

	return text ? (struct stap_str){text, append_symbol(c, text, room, 0, (u64)address)} : STAP_STR("");
}

struct stap_str stap_address_lines(struct stap_ctx *c, struct stap_str addresses)
{
	const u32 room = stap_core.program->limits.max_string_len;
	char *text = addresses.len ? stap_temp_alloc(c, room) : STAP_NULL;
	u32 at = 0, used = 0;
	u64 address;

	while (text && next_address(addresses, &at, &address)) {
		used = append_symbol(c, text, room, used, address);
		used = stap_append(text, room, used, STAP_STR("\n"));
	}
	return text ? (struct stap_str){text, used} : STAP_STR("");
}

void stap_print_uaddresses(struct stap_ctx *c, struct stap_str addresses, u32 form)
{
	print_addresses(c, addresses, STAP_RECORD_USER_ADDRESSES, form);
}

void stap_print_ubacktrace(struct stap_ctx *c, u32 form, const struct stap_user_frame *from)
{
	const struct stap_regs *regs = host_user_regs(c->event->regs);
	struct stap_record_user_stack head = {.form = form, .max_frames = stap_core.program->limits.max_backtrace};

	if (!regs)
		return;
#define VALUE(number, field) head.registers[number] = regs->field;
	STAP_DWARF_REGISTERS(VALUE)
#undef VALUE
	if (from) {
		head.registers[STAP_DWARF_REGISTER_LAST] = (u64)from->pc;
		head.registers[STAP_STACK_REGISTER] = (u64)from->sp;
		head.registers[STAP_FRAME_REGISTER] = (u64)from->fp;
	}
	head.place = stap_user_place(c, (stap_long)head.registers[STAP_DWARF_REGISTER_LAST]);
	stap_emit_user_stack(c, &head);
}
