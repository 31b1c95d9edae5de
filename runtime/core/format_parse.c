// SPDX-License-Identifier: GPL-2.0-or-later
// Splits a printf format into literal text and directives: %[flags][width][.precision][length]letter.
//
// Needs nothing but this file: the translator and staprun compile it too.
#include "format_parse.h"

// By their letters.
static const struct stap_conversion conversions[128] = {
	['b'] = {'b', STAP_CONVERT_BINARY, 0, 0, ""},      ['c'] = {'c', STAP_CONVERT_CHARACTER, 0, 0, ""},
	['d'] = {'d', STAP_CONVERT_SIGNED, 10, 0, ""},     ['i'] = {'i', STAP_CONVERT_SIGNED, 10, 0, ""},
	['m'] = {'m', STAP_CONVERT_MEMORY, 0, 0, ""},      ['M'] = {'M', STAP_CONVERT_MEMORY, 16, 0, ""},
	['o'] = {'o', STAP_CONVERT_UNSIGNED, 8, 0, "0"},   ['p'] = {'p', STAP_CONVERT_POINTER, 16, 0, "0x"},
	['s'] = {'s', STAP_CONVERT_STRING, 0, 0, ""},      ['u'] = {'u', STAP_CONVERT_UNSIGNED, 10, 0, ""},
	['x'] = {'x', STAP_CONVERT_UNSIGNED, 16, 0, "0x"}, ['X'] = {'X', STAP_CONVERT_UNSIGNED, 16, 1, "0X"},
};

static const struct stap_conversion *conversion_of(char letter)
{
	const struct stap_conversion *found = &conversions[letter & 127];

	return letter && found->letter == letter ? found : STAP_NULL;
}

static int is_digit(struct stap_str f, u32 at)
{
	return at < f.len && f.ptr[at] >= '0' && f.ptr[at] <= '9';
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

// A number or '*'; `absent` when there is neither.
static s32 parse_amount(struct stap_str f, u32 *at, s32 absent, u8 *from_arg, u8 *problem)
{
	s32 n = 0;

	if (*at < f.len && f.ptr[*at] == '*') {
		(*at)++;
		*from_arg = 1;
		return -1;
	}
	if (!is_digit(f, *at))
		return absent;
	for (; is_digit(f, *at); (*at)++)
		if (n <= STAP_FORMAT_MAX_AMOUNT)
			n = n * 10 + (f.ptr[*at] - '0');
	if (n > STAP_FORMAT_MAX_AMOUNT)
		*problem = STAP_FORMAT_TOO_WIDE;
	return n;
}

// C's length modifiers: hh h ll l j z t L. One may stand before the letter and changes nothing: every number has 64
// bits.
static void skip_length(struct stap_str f, u32 *at)
{
	if (*at >= f.len)
		return;
	switch (f.ptr[*at]) {
	case 'h':
	case 'l': *at += *at + 1 < f.len && f.ptr[*at + 1] == f.ptr[*at] ? 2 : 1; break;
	case 'j':
	case 'z':
	case 't':
	case 'L': (*at)++; break;
	}
}

static const struct stap_conversion *parse_letter(struct stap_str f, u32 *at, u8 *problem)
{
	const struct stap_conversion *found;

	// A byte that can't be shown, as a newline after the %, is no part of what the user took for a directive.
	if (*at >= f.len || f.ptr[*at] <= ' ' || f.ptr[*at] > '~') {
		*problem = STAP_FORMAT_CUT_OFF;
		return STAP_NULL;
	}
	found = conversion_of(f.ptr[(*at)++]);
	if (!found)
		*problem = STAP_FORMAT_UNKNOWN;
	return found;
}

static int is_binary_size(s32 width)
{
	return width == -1 || width == 1 || width == 2 || width == 4 || width == 8;
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
	if (*at < f.len && f.ptr[*at] == '%') {
		d->text = (struct stap_str){f.ptr + start, 1};
		(*at)++;
		return 1;
	}
	d->conversion = *at < f.len ? conversion_of(f.ptr[*at]) : STAP_NULL;
	if (d->conversion) { // most directives are just a letter
		(*at)++;
		d->text = (struct stap_str){f.ptr + start, 2};
		return 1;
	}
	d->flags = parse_flags(f, at);
	d->width = parse_amount(f, at, -1, &d->width_from_arg, &d->problem);
	if (*at < f.len && f.ptr[*at] == '.') {
		(*at)++;
		d->precision = parse_amount(f, at, 0, &d->precision_from_arg, &d->problem);
	}
	skip_length(f, at);
	if (!d->problem)
		d->conversion = parse_letter(f, at, &d->problem);
	if (d->conversion && d->conversion->kind == STAP_CONVERT_BINARY && !is_binary_size(d->width))
		d->problem = STAP_FORMAT_BAD_SIZE;
	if (d->problem)
		d->conversion = STAP_NULL;
	d->text = (struct stap_str){f.ptr + start, *at - start};
	return 1;
}
