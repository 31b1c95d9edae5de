// SPDX-License-Identifier: GPL-2.0-or-later
// printf formatting as stap(1) documents it: what each conversion writes; format_parse.c has the grammar.
//
// Needs nothing but that: staprun compiles both, too.
#include "format.h"

// Where the text goes: counts everything, writes what fits.
struct sink {
	char *out;
	u32 size;
	u32 len;
};

static void put(struct sink *s, char c)
{
	if (s->len < s->size)
		s->out[s->len] = c;
	if (s->len != 0xffffffffu)
		s->len++;
}

static void put_bytes(struct sink *s, const char *p, u32 n)
{
	u32 room = s->len < s->size ? s->size - s->len : 0;
	u32 fits = n < room ? n : room;

	if (fits)
		__builtin_memcpy(s->out + s->len, p, fits);
	s->len = s->len + n < s->len ? 0xffffffffu : s->len + n;
}

static void put_repeated(struct sink *s, char c, u32 n)
{
	while (n--)
		put(s, c);
}

int stap_format_takes(struct stap_str format, const char *types, u32 count)
{
	struct stap_directive d;
	u32 at = 0, n = 0;

	while (stap_format_next(format, &at, &d)) {
		if (!d.conversion)
			continue;
		for (int stars = d.width_from_arg + d.precision_from_arg; stars; stars--)
			if (n >= count || types[n++] != STAP_TYPE_LONG)
				return 0;
		if (n >= count)
			return 0;
		if (d.conversion->kind != STAP_CONVERT_STRING
			    ? types[n] != STAP_TYPE_LONG
			    : types[n] != STAP_TYPE_STRING && !stap_type_is_symbol(types[n]))
			return 0;
		n++;
	}
	return n == count;
}

// --- conversions -------------------------------------------------------------

static void put_padded(struct sink *s, const struct stap_directive *d, const char *p, u32 n)
{
	u32 pad = d->width > 0 && (u32)d->width > n ? (u32)d->width - n : 0;

	if (!(d->flags & STAP_FORMAT_LEFT))
		put_repeated(s, ' ', pad);
	put_bytes(s, p, n);
	if (d->flags & STAP_FORMAT_LEFT)
		put_repeated(s, ' ', pad);
}

// Write the digits of `v` before `end`, none for 0; how many. The decimal ones come in pairs, which takes half the
// divisions: numbers are most of what is printed.
static u32 put_decimal(char *end, u64 v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";
	char *at = end;

	while (v >= 10) {
		u64 rest = v / 100;

		at -= 2;
		__builtin_memcpy(at, pairs + 2 * (v - rest * 100), 2);
		v = rest;
	}
	if (v)
		*--at = (char)('0' + v);
	return (u32)(end - at);
}

static u32 put_binary_digits(char *end, u64 v, u32 bits, int capital)
{
	const char *digit = capital ? "0123456789ABCDEF" : "0123456789abcdef";
	char *at = end;

	for (; v; v >>= bits)
		*--at = digit[v & ((1u << bits) - 1)];
	return (u32)(end - at);
}

// Digits with sign or prefix: spaces, prefix, zeros, digits, spaces.
static void put_number(struct sink *s, const struct stap_directive *d, u64 v, const char *prefix)
{
	char text[24]; // 22 octal digits at most
	char *end = text + sizeof(text);
	u32 digits, zeros, prefix_len = (u32)__builtin_strlen(prefix), width, used;

	if (d->conversion->base == 10)
		digits = put_decimal(end, v);
	else
		digits = put_binary_digits(end, v, d->conversion->base == 16 ? 4 : 3, d->conversion->capital);
	zeros = digits ? 0 : d->precision != 0; // 0 is "0", and nothing with precision 0, as in C
	if (d->precision > 0 && (u32)d->precision > digits)
		zeros = (u32)d->precision - digits;
	width = d->width > 0 ? (u32)d->width : 0;
	used = prefix_len + zeros + digits;
	if ((d->flags & STAP_FORMAT_ZERO) && !(d->flags & STAP_FORMAT_LEFT) && d->precision < 0 && width > used) {
		zeros += width - used;
		used = width;
	}
	if (!(d->flags & STAP_FORMAT_LEFT) && width > used)
		put_repeated(s, ' ', width - used);
	put_bytes(s, prefix, prefix_len);
	put_repeated(s, '0', zeros);
	put_bytes(s, end - digits, digits);
	if ((d->flags & STAP_FORMAT_LEFT) && width > used)
		put_repeated(s, ' ', width - used);
}

static void put_signed(struct sink *s, const struct stap_directive *d, stap_long v)
{
	const char *sign = v < 0 ? "-" : d->flags & STAP_FORMAT_PLUS ? "+" : d->flags & STAP_FORMAT_SPACE ? " " : "";

	put_number(s, d, v < 0 ? 0 - (u64)v : (u64)v, sign);
}

// %#c: as in a character constant of C, what does not print, \ and ' come as an escape or as three octal digits.
static void put_char(struct sink *s, const struct stap_directive *d, stap_long v)
{
	static const char named[] = "\a\b\f\n\r\t\v\\'", letter[] = "abfnrtv\\'";
	u8 c = (u8)v;
	char text[4] = {(char)c};

	if (!(d->flags & STAP_FORMAT_ALT) || (c >= ' ' && c < 127 && c != '\\' && c != '\'')) {
		put_padded(s, d, text, 1);
		return;
	}
	text[0] = '\\';
	for (u32 i = 0; i + 1 < sizeof(named); i++) {
		if (c && c == (u8)named[i]) {
			text[1] = letter[i];
			put_padded(s, d, text, 2);
			return;
		}
	}
	text[1] = (char)('0' + (c >> 6));
	text[2] = (char)('0' + (c >> 3 & 7));
	text[3] = (char)('0' + (c & 7));
	put_padded(s, d, text, 4);
}

// The value's bytes as they are in memory; the width is their number.
static void put_binary(struct sink *s, const struct stap_directive *d, stap_long v)
{
	u32 n = d->width == 1 || d->width == 2 || d->width == 4 ? (u32)d->width : 8;
	char bytes[8];

	__builtin_memcpy(bytes, &v, 8); // little endian: the low bytes come first
	put_bytes(s, bytes, n);
}

static void put_memory(struct sink *s, const struct stap_directive *d, const struct stap_format_in *in, u64 address,
		       struct stap_format_fault *fault)
{
	int user = (d->flags & STAP_FORMAT_ALT) != 0, hex = d->conversion->base == 16;
	int (*read)(void *, u64, u32) = user ? in->read_user : in->read_kernel;
	u32 n = d->precision < 0 ? 1 : (u32)d->precision, text_len, pad;
	char piece[32];

	if (!read || fault->kind)
		return;
	if (n > STAP_FORMAT_MAX_MEMORY)
		n = STAP_FORMAT_MAX_MEMORY;
	text_len = hex ? 2 * n : n;
	pad = d->width > 0 && (u32)d->width > text_len ? (u32)d->width - text_len : 0;
	if (!(d->flags & STAP_FORMAT_LEFT))
		put_repeated(s, ' ', pad);
	for (u32 i = 0; i < n; i += sizeof(piece)) {
		u32 part = n - i < sizeof(piece) ? n - i : (u32)sizeof(piece);

		if (read(piece, address + i, part)) {
			*fault = (struct stap_format_fault){user ? STAP_FAULT_USER_READ : STAP_FAULT_KERNEL_READ,
							    address + i};
			return;
		}
		for (u32 k = 0; hex && k < part; k++) {
			put(s, "0123456789abcdef"[(u8)piece[k] >> 4]);
			put(s, "0123456789abcdef"[(u8)piece[k] & 15]);
		}
		if (!hex)
			put_bytes(s, piece, part);
	}
	if (d->flags & STAP_FORMAT_LEFT)
		put_repeated(s, ' ', pad);
}

static void put_string(struct sink *s, const struct stap_directive *d, struct stap_str v)
{
	u32 n = d->precision >= 0 && (u32)d->precision < v.len ? (u32)d->precision : v.len;

	put_padded(s, d, v.ptr, n);
}

static void convert(struct sink *s, const struct stap_directive *d, const struct stap_format_in *in, union stap_arg arg,
		    struct stap_format_fault *fault)
{
	// The octal 0 begins with 0 already; the others' 0 is 0x0.
	int marked = d->flags & STAP_FORMAT_ALT && (arg.n || d->conversion->base != 8);

	switch ((enum stap_conversion_kind)d->conversion->kind) {
	case STAP_CONVERT_SIGNED: put_signed(s, d, arg.n); break;
	case STAP_CONVERT_UNSIGNED: put_number(s, d, (u64)arg.n, marked ? d->conversion->prefix : ""); break;
	case STAP_CONVERT_POINTER: put_number(s, d, (u64)arg.n, d->conversion->prefix); break;
	case STAP_CONVERT_CHARACTER: put_char(s, d, arg.n); break;
	case STAP_CONVERT_BINARY: put_binary(s, d, arg.n); break;
	case STAP_CONVERT_STRING: put_string(s, d, arg.s); break;
	case STAP_CONVERT_MEMORY: put_memory(s, d, in, (u64)arg.n, fault); break;
	}
}

static s32 clamp(stap_long n)
{
	return n > STAP_FORMAT_MAX_WIDTH    ? STAP_FORMAT_MAX_WIDTH
	       : n < -STAP_FORMAT_MAX_WIDTH ? -STAP_FORMAT_MAX_WIDTH
					    : (s32)n;
}

u32 stap_format_text(const struct stap_format_in *in, char *out, u32 size, struct stap_format_fault *fault)
{
	static const union stap_arg none = {.s = {"", 0}};
	struct sink s = {out, size, 0};
	struct stap_directive d;
	u32 at = 0, n = 0;

	*fault = (struct stap_format_fault){STAP_FAULT_NONE, 0};
	while (stap_format_next(in->text, &at, &d)) {
		union stap_arg arg;

		if (!d.conversion) {
			put_bytes(&s, d.text.ptr, d.text.len);
			continue;
		}
		if (d.width_from_arg && n < in->arg_count) {
			d.width = clamp(in->args[n++].n);
			if (d.width < 0) { // as in C: '-' and the amount
				d.flags |= STAP_FORMAT_LEFT;
				d.width = -d.width;
			}
		}
		if (d.precision_from_arg && n < in->arg_count)
			d.precision = clamp(in->args[n++].n);
		if (d.precision < 0)
			d.precision = -1;
		d.width = clamp(d.width);
		d.precision = clamp(d.precision);
		arg = n < in->arg_count ? in->args[n++] : d.conversion->kind == STAP_CONVERT_STRING ? none : STAP_N(0);
		convert(&s, &d, in, arg, fault);
	}
	return s.len;
}
