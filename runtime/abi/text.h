// SPDX-License-Identifier: GPL-2.0-or-later
// String, number and name conversions that tapset functions are made of: pure functions over slices, bounded, no
// allocation but temporaries of the context's arena.
//
// A result that is a part of an argument shares its bytes; any other result is a
// temporary (context.h). No result is longer than MAXSTRINGLEN - 1 bytes; a cut
// never splits a UTF-8 character or an escape sequence. Positions and lengths
// count bytes from 0. All may be called in any context.
#ifndef STAP_ABI_TEXT_H
#define STAP_ABI_TEXT_H

#include "context.h"

// --- searching and cutting (core/text.c) ---

// stap_text_slice("hello", 1, 3) is "ell". What lies outside is cut off: negative start or length gives "".
struct stap_str stap_text_slice(struct stap_str s, stap_long start, stap_long length);
// Position of the first `part` in s; -1: none. An empty part is at 0.
stap_long stap_text_find(struct stap_str s, struct stap_str part);
// The byte at a position, 0..255; 0 past the end; "string index out of range" when it is negative or
// not below MAXSTRINGLEN.
stap_long stap_text_byte(struct stap_ctx *c, struct stap_str s, stap_long position);
// Every `from` (left to right, not overlapping) becomes `to`. An empty `from` changes nothing.
struct stap_str stap_text_replace(struct stap_ctx *c, struct stap_str s, struct stap_str from, struct stap_str to);
// The first run of bytes that are not in `delimiters`; "" when there is none.
struct stap_str stap_text_token(struct stap_str s, struct stap_str delimiters);
// What follows that run and the one delimiter after it.
struct stap_str stap_text_after_token(struct stap_str s, struct stap_str delimiters);
// The function or tracepoint named in a probe point: "vfs_read" of
// kernel.function("vfs_read@fs/read_write.c:450").return;
// "": none.
struct stap_str stap_text_point_function(struct stap_str point);

// --- conversions (core/text_convert.c) ---

// As strtol(3): blanks, sign, 0x with base 16 or 0, leading 0 with base 0; stops at the first other byte.
// Like a literal of a script, the text may have 64 bits: "ffffffff81000000" in base 16 is the long with these bits,
// a negative one. What needs more bits gives the nearest long. Bases are 0 and 2 to 36; any other gives 0.
stap_long stap_text_to_long(struct stap_str s, stap_long base);
// Bytes that are not printable ASCII become \a \b \f \n \r \t \v or \ooo; " and \ become \" and \\.
// `max` bounds the result, quotes included (0: MAXSTRINGLEN - 1); `quoted` puts it in double quotes, followed by
// "..." when the text did not fit.
struct stap_str stap_text_escape(struct stap_ctx *c, struct stap_str s, stap_long max, stap_long quoted);
// "Wed Jun 30 21:49:08 1993", UTC; an error outside of what 32 bits of seconds express.
struct stap_str stap_text_ctime(struct stap_ctx *c, stap_long epoch_seconds);
// "ENOENT" of 2 or -2 (asm-generic/errno.h); "E#3333" of what is no error number.
struct stap_str stap_text_errno(struct stap_ctx *c, stap_long error);
// "192.0.2.1" of an address in network byte order, as it stands in a packet.
struct stap_str stap_text_ipv4(struct stap_ctx *c, stap_long address);
// "2001:db8::1" (RFC 5952) of 16 bytes in network byte order.
struct stap_str stap_text_ipv6(struct stap_ctx *c, const u8 *address);
// The DWARF number of an x86-64 register's 64-bit name ("rax" or "ax" is 0, "rip" is 16); -1: no such name.
stap_long stap_text_register(struct stap_str name);

// --- flags (core/text_flags.c) ---

// A name for `value` in the bits of `mask`: a flag (both alike), a value of a field, or of the whole (a mask of all
// bits).
struct stap_flag {
	u64 mask, value;
	const char *name;
};

// "O_WRONLY|O_CREAT|0x40000000": the names of a value's parts in the order of the table, then the bits that have none.
// A flag of several bits comes before its parts, which are then not named. "0x0" when there is nothing to say.
struct stap_str stap_text_flags(struct stap_ctx *c, stap_long value, const struct stap_flag *flags, u32 count);

// The name at index `number`; the number in decimal where there is none.
struct stap_str stap_text_numbered(struct stap_ctx *c, stap_long number, const char *const *names, u32 count);

// --- memory as text (core/text_memory.c) ---

// Exactly `length` bytes, zero bytes included, cut at MAXSTRINGLEN - 1. Faults as stap_kread and stap_uread do.
struct stap_str stap_text_kread(struct stap_ctx *c, u64 address, stap_long length);
struct stap_str stap_text_uread(struct stap_ctx *c, u64 address, stap_long length);

// --- network byte order ---

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline stap_long stap_net16(stap_long v)
{
	return __builtin_bswap16((u16)v);
}
static inline stap_long stap_net32(stap_long v)
{
	return __builtin_bswap32((u32)v);
}
static inline stap_long stap_net64(stap_long v)
{
	return (stap_long)__builtin_bswap64((u64)v);
}
#else
static inline stap_long stap_net16(stap_long v)
{
	return (u16)v;
}
static inline stap_long stap_net32(stap_long v)
{
	return (u32)v;
}
static inline stap_long stap_net64(stap_long v)
{
	return v;
}
#endif

#endif
