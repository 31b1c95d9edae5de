// SPDX-License-Identifier: GPL-2.0-or-later
// printf formatting as stap(1) documents it: %b %c %d %i %m %M %o %p %s %u %x %X %%, flags, width, precision, '*'.
//
// Needs nothing but this file: staprun compiles it too.
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

// --- parsing -----------------------------------------------------------------

static s32 parse_number(struct stap_str f, u32 *at)
{
	s32 n = 0;

	while (*at < f.len && f.ptr[*at] >= '0' && f.ptr[*at] <= '9') {
		if (n < STAP_FORMAT_MAX_WIDTH * 10)
			n = n * 10 + (f.ptr[*at] - '0');
		(*at)++;
	}
	return n < STAP_FORMAT_MAX_WIDTH ? n : STAP_FORMAT_MAX_WIDTH;
}

static u8 parse_flags(struct stap_str f, u32 *at)
{
	u8 flags = 0;

	for (; *at < f.len; (*at)++) {
		switch (f.ptr[*at]) {
		case '-': flags |= STAP_FORMAT_LEFT; break;
		case '+': flags |= STAP_FORMAT_PLUS; break;
		case ' ': flags |= STAP_FORMAT_SPACE; break;
		case '#': flags |= STAP_FORMAT_ALT; break;
		case '0': flags |= STAP_FORMAT_ZERO; break;
		default: return flags;
		}
	}
	return flags;
}

// A number or '*'; -1 when there is none.
static s32 parse_amount(struct stap_str f, u32 *at, u8 *from_arg)
{
	if (*at < f.len && f.ptr[*at] == '*') {
		(*at)++;
		*from_arg = 1;
		return -1;
	}
	if (*at < f.len && f.ptr[*at] >= '0' && f.ptr[*at] <= '9')
		return parse_number(f, at);
	return -1;
}

static int is_conversion(char c)
{
	switch (c) {
	case 'b':
	case 'c':
	case 'd':
	case 'i':
	case 'm':
	case 'M':
	case 'o':
	case 'p':
	case 's':
	case 'u':
	case 'x':
	case 'X': return 1;
	}
	return 0;
}

int stap_format_next(struct stap_str f, u32 *at, struct stap_directive *d)
{
	u32 start = *at;

	*d = (struct stap_directive){.width = -1, .precision = -1};
	if (*at >= f.len)
		return 0;
	if (f.ptr[*at] != '%') {
		while (*at < f.len && f.ptr[*at] != '%')
			(*at)++;
		d->text = (struct stap_str){f.ptr + start, *at - start};
		return 1;
	}
	(*at)++;
	d->flags = parse_flags(f, at);
	d->width = parse_amount(f, at, &d->width_from_arg);
	if (*at < f.len && f.ptr[*at] == '.') {
		(*at)++;
		d->precision = parse_amount(f, at, &d->precision_from_arg);
		if (d->precision < 0)
			d->precision = 0;
	}
	while (*at < f.len && (f.ptr[*at] == 'l' || f.ptr[*at] == 'h'))
		(*at)++; // C's size modifiers mean nothing here: a number has 64 bits
	if (*at < f.len && is_conversion(f.ptr[*at])) {
		d->conversion = f.ptr[(*at)++];
		return 1;
	}
	if (*at < f.len && f.ptr[*at] == '%') {
		(*at)++;
		d->text = STAP_STR("%");
	} else {
		d->text = (struct stap_str){f.ptr + start, *at - start};
	}
	d->width_from_arg = d->precision_from_arg = 0;
	return 1;
}

int stap_format_reads_memory(struct stap_str format)
{
	struct stap_directive d;
	u32 at = 0;

	while (stap_format_next(format, &at, &d))
		if (d.conversion == 'm' || d.conversion == 'M')
			return 1;
	return 0;
}

int stap_format_arg_is_string(struct stap_str format, u32 arg)
{
	struct stap_directive d;
	u32 at = 0, n = 0;

	while (stap_format_next(format, &at, &d)) {
		if (!d.conversion)
			continue;
		n += d.width_from_arg + d.precision_from_arg;
		if (arg < n)
			return 0;
		if (arg == n++)
			return d.conversion == 's';
	}
	return -1;
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

// Digits with sign or prefix: spaces, prefix, zeros, digits, spaces.
static void put_number(struct sink *s, const struct stap_directive *d, u64 v, u32 base, const char *prefix)
{
	const char *digit = d->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	char text[24];
	u32 n = sizeof(text), digits, zeros, prefix_len = (u32)__builtin_strlen(prefix), width, used;

	while (v && n) {
		text[--n] = digit[v % base];
		v /= base;
	}
	digits = sizeof(text) - n;
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
	put_bytes(s, text + n, digits);
	if ((d->flags & STAP_FORMAT_LEFT) && width > used)
		put_repeated(s, ' ', width - used);
}

static void put_signed(struct sink *s, const struct stap_directive *d, stap_long v)
{
	const char *sign = v < 0 ? "-" : d->flags & STAP_FORMAT_PLUS ? "+" : d->flags & STAP_FORMAT_SPACE ? " " : "";

	put_number(s, d, v < 0 ? 0 - (u64)v : (u64)v, 10, sign);
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
	int user = (d->flags & STAP_FORMAT_ALT) != 0, hex = d->conversion == 'M';
	int (*read)(void *, u64, u32) = user ? in->read_user : in->read_kernel;
	u32 n = d->precision < 0 ? 1 : (u32)d->precision, text_len, pad;
	char piece[32];

	if (!read || fault->what)
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
			*fault = (struct stap_format_fault){user ? "user" : "kernel", address + i};
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
	int alt = (d->flags & STAP_FORMAT_ALT) != 0; // 0 too is 0x0; the octal 0 begins with 0 already

	switch (d->conversion) {
	case 'b': put_binary(s, d, arg.n); break;
	case 'c': put_char(s, d, arg.n); break;
	case 'd':
	case 'i': put_signed(s, d, arg.n); break;
	case 'u': put_number(s, d, (u64)arg.n, 10, ""); break;
	case 'o': put_number(s, d, (u64)arg.n, 8, alt && arg.n ? "0" : ""); break;
	case 'x': put_number(s, d, (u64)arg.n, 16, alt ? "0x" : ""); break;
	case 'X': put_number(s, d, (u64)arg.n, 16, alt ? "0X" : ""); break;
	case 'p': put_number(s, d, (u64)arg.n, 16, "0x"); break;
	case 's': put_string(s, d, arg.s); break;
	case 'm':
	case 'M': put_memory(s, d, in, (u64)arg.n, fault); break;
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

	*fault = (struct stap_format_fault){STAP_NULL, 0};
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
		arg = n < in->arg_count ? in->args[n++] : d.conversion == 's' ? none : STAP_N(0);
		convert(&s, &d, in, arg, fault);
	}
	return s.len;
}
