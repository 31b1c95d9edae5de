// SPDX-License-Identifier: GPL-2.0-or-later
// Converts between text and values for the tapset: numbers, escapes, dates, error names, addresses, registers.
#include "core.h"
#include "../abi/text.h"

#define SECONDS_PER_DAY 86400
#define STAP_LONG_MAX   ((stap_long)0x7fffffffffffffffll)
#define STAP_LONG_MIN   (-STAP_LONG_MAX - 1)

static u32 string_max(void)
{
	return stap_core.program->limits.max_string_len - 1;
}

// A temporary copy of what was composed in a small buffer on the stack.
static struct stap_str keep(struct stap_ctx *c, const char *text, u32 len)
{
	return stap_str_copy(c, (struct stap_str){text, len});
}

// --- numbers ---

// '7' is 7, 'f' and 'F' are 15, and what is no digit in any base is 99.
static u32 digit_value(char byte)
{
	if (byte >= '0' && byte <= '9')
		return (u32)(byte - '0');
	byte |= 0x20;
	return byte >= 'a' && byte <= 'z' ? (u32)(byte - 'a') + 10 : 99;
}

static int is_blank(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// "0x" counts as a prefix only when a hexadecimal digit follows, as in strtol(3).
static int has_hex_prefix(struct stap_str s, u32 i)
{
	return i + 2 < s.len && s.ptr[i] == '0' && (s.ptr[i + 1] | 0x20) == 'x' && digit_value(s.ptr[i + 2]) < 16;
}

stap_long stap_text_to_long(struct stap_str s, stap_long base)
{
	u64 value = 0, limit;
	u32 i = 0;
	int negative = 0;

	if (base < 0 || base == 1 || base > 36)
		return 0;
	while (i < s.len && is_blank(s.ptr[i]))
		i++;
	if (i < s.len && (s.ptr[i] == '-' || s.ptr[i] == '+'))
		negative = s.ptr[i++] == '-';
	if ((base == 0 || base == 16) && has_hex_prefix(s, i)) {
		base = 16;
		i += 2;
	} else if (base == 0) {
		base = i < s.len && s.ptr[i] == '0' ? 8 : 10;
	}
	limit = negative ? (u64)1 << 63 : ~(u64)0;
	for (; i < s.len && digit_value(s.ptr[i]) < (u32)base; i++) {
		u32 digit = digit_value(s.ptr[i]);

		if (value > (limit - digit) / (u32)base)
			return negative ? STAP_LONG_MIN : STAP_LONG_MAX;
		value = value * (u32)base + digit;
	}
	return negative ? stap_neg(value) : (stap_long)value;
}

// --- escapes ---

// Writes one byte in escaped form and returns how many characters that took: 1 to 4.
static u32 escape_byte(u8 byte, char *out)
{
	static const char letters[] = "abtnvfr"; // the escape letters of the bytes 7 to 13

	if (byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\') {
		out[0] = (char)byte;
		return 1;
	}
	out[0] = '\\';
	if (byte == '"' || byte == '\\')
		out[1] = (char)byte;
	else if (byte >= 7 && byte <= 13)
		out[1] = letters[byte - 7];
	else {
		out[1] = (char)('0' + (byte >> 6));
		out[2] = (char)('0' + (byte >> 3 & 7));
		out[3] = (char)('0' + (byte & 7));
		return 4;
	}
	return 2;
}

// Returns how many bytes of s fit into `room` characters when they are escaped, and in *length how many characters
// these take.
static u32 escaped_prefix(struct stap_str s, u32 room, u32 *length)
{
	char scratch[4];
	u32 i, n, total = 0;

	for (i = 0; i < s.len; i++) {
		n = escape_byte((u8)s.ptr[i], scratch);
		if (n > room - total)
			break;
		total += n;
	}
	*length = total;
	return i;
}

struct stap_str stap_text_escape(struct stap_ctx *c, struct stap_str s, stap_long max, stap_long quoted)
{
	u32 room = max > 0 && max < (stap_long)string_max() ? (u32)max : string_max();
	u32 quotes = quoted ? 2 : 0;
	u32 dots = 0, taken, length, done = 0;
	char *out;

	taken = escaped_prefix(s, room > quotes ? room - quotes : 0, &length);
	if (taken < s.len && quoted) {
		dots = 3; // that something is missing is shown even where the dots exceed the given length
		taken = escaped_prefix(s, room > quotes + dots ? room - quotes - dots : 0, &length);
	}
	out = length + quotes + dots ? stap_temp_alloc(c, length + quotes + dots) : STAP_NULL;
	if (!out)
		return STAP_STR("");
	if (quoted)
		out[done++] = '"';
	for (u32 i = 0; i < taken; i++)
		done += escape_byte((u8)s.ptr[i], out + done);
	if (quoted)
		out[done++] = '"';
	while (dots--)
		out[done++] = '.';
	return (struct stap_str){out, done};
}

// --- dates ---

static u32 put_two_digits(char *out, u32 at, u32 value)
{
	out[at] = (char)('0' + value / 10);
	out[at + 1] = (char)('0' + value % 10);
	return at + 2;
}

struct stap_str stap_text_ctime(struct stap_ctx *c, stap_long epoch_seconds)
{
	static const char week_days[] = "ThuFriSatSunMonTueWed"; // 1 January 1970 was a Thursday
	static const char months[] = "MarAprMayJunJulAugSepOctNovDecJanFeb";
	char text[] = "Www Mmm dd hh:mm:ss yyyy";
	stap_long days, second;
	u32 era_day, year_of_era, day_of_year, month, day, year;

	if (epoch_seconds < -0x80000000ll || epoch_seconds > 0x7fffffffll) {
		stap_fail_cstr(c, "Supplied number of seconds is outside of what ctime can express");
		return STAP_STR("");
	}
	days = epoch_seconds / SECONDS_PER_DAY;
	second = epoch_seconds % SECONDS_PER_DAY;
	if (second < 0) {
		second += SECONDS_PER_DAY;
		days--;
	}
	// Days are counted from 1 March 1600. A year that begins in March ends with its leap day, so leap days do not
	// shift the months; and 400 years of the Gregorian calendar always have 146097 days.
	era_day = (u32)(days + 135080);
	year = 1600 + era_day / 146097 * 400;
	era_day %= 146097;
	year_of_era = (era_day - era_day / 1460 + era_day / 36524 - era_day / 146096) / 365;
	day_of_year = era_day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	month = (5 * day_of_year + 2) / 153;
	day = day_of_year - (153 * month + 2) / 5 + 1;
	year += year_of_era + (month >= 10);
	__builtin_memcpy(text, week_days + ((days % 7 + 7) % 7) * 3, 3);
	__builtin_memcpy(text + 4, months + month * 3, 3);
	put_two_digits(text, 8, day);
	if (day < 10)
		text[8] = ' ';
	put_two_digits(text, 11, (u32)(second / 3600));
	put_two_digits(text, 14, (u32)(second / 60 % 60));
	put_two_digits(text, 17, (u32)(second % 60));
	put_two_digits(text, put_two_digits(text, 20, year / 100), year % 100);
	return keep(c, text, sizeof(text) - 1);
}

// --- addresses ---

struct stap_str stap_text_ipv4(struct stap_ctx *c, stap_long address)
{
	char text[16];
	u32 host = (u32)stap_net32(address), len = 0;

	for (u32 shift = 32; shift; shift -= 8) {
		len = stap_append_long(text, sizeof(text), len, host >> (shift - 8) & 0xff);
		if (shift > 8)
			len = stap_append(text, sizeof(text), len, STAP_STR("."));
	}
	return keep(c, text, len);
}

// Returns where the longest run of zero groups starts, and its length in *run, which is 0 when there is no run of at
// least two. Of several equally long runs it is the first (RFC 5952, 4.2).
static u32 longest_zeros(const u16 *groups, u32 *run)
{
	u32 best = 0, start = 0, length = 0;

	*run = 1;
	for (u32 i = 0; i < 8; i++) {
		if (groups[i]) {
			length = 0;
			continue;
		}
		if (!length++)
			start = i;
		if (length > *run) {
			*run = length;
			best = start;
		}
	}
	if (*run == 1)
		*run = 0;
	return best;
}

struct stap_str stap_text_ipv6(struct stap_ctx *c, const u8 *address)
{
	char text[40];
	u16 groups[8];
	u32 zeros, run, len = 0;

	for (u32 i = 0; i < 8; i++)
		groups[i] = (u16)(address[2 * i] << 8 | address[2 * i + 1]);
	zeros = longest_zeros(groups, &run);
	for (u32 i = 0; i < 8; i++) {
		if (run && i == zeros) {
			len = stap_append(text, sizeof(text), len, STAP_STR("::"));
			i += run - 1;
			continue;
		}
		if (i && !(run && i == zeros + run))
			len = stap_append(text, sizeof(text), len, STAP_STR(":"));
		len = stap_append_hex(text, sizeof(text), len, groups[i]);
	}
	return keep(c, text, len);
}

// --- registers ---

// The number of a register in DWARF's order (System V psABI AMD64, figure 3.36), or -1. `names` has two characters for
// each register: "ax" stands for rax, "r8" for itself, "10" for r10.
stap_long stap_text_register(struct stap_str name)
{
	static const char names[] = "axdxcxbxsidibpspr8r9101112131415ip";
	const char *word = name.ptr;
	u32 len = name.len;

	if (len == 3 && word[0] == 'r') { // "rax" is listed as "ax", "r10" as "10"
		word++;
		len--;
	} else if (len == 2 && word[0] == '1') {
		return -1;
	}
	if (len != 2)
		return -1;
	for (u32 i = 0; i < sizeof(names) / 2; i++)
		if (names[2 * i] == word[0] && names[2 * i + 1] == word[1])
			return i;
	return -1;
}
