// SPDX-License-Identifier: GPL-2.0-or-later
// printf formatting: documented examples, flags, widths, memory dumps, faults, cuts, what a reader asks of a format.
#include "unit.h"

static struct stap_probe probe = {.point = "timer", .attach = {.kind = STAP_ATTACH_TIMER}};
UNIT_PROGRAM(.probes = &probe, .probe_count = 1);

static char out[70000];
static struct stap_format_fault fault;

static struct stap_str format(const char *text, const union stap_arg *args, u32 count, u32 size)
{
	struct stap_format_in in = {stap_cstr(text), args, count, host_read_kernel, host_read_user};
	u32 len;

	memset(out, '!', sizeof(out));
	len = stap_format_text(&in, out, size, &fault);
	CHECK(out[size] == '!');
	return (struct stap_str){out, len};
}

#define F(want, text, ...)                                                                    \
	do {                                                                                  \
		union stap_arg args_[] = {__VA_ARGS__};                                       \
		CHECK_STR(format(text, args_, STAP_ARRAY_LEN(args_), sizeof(out) - 1), want); \
	} while (0)
#define N    STAP_N
#define S(s) STAP_S(stap_cstr(s))

static void documented(void)
{
	F("a is alice; 1234abcd or 1234ABCD or 0x1234abcd; -1 or 18446744073709551615\n",
	  "%c is %s; %x or %X or %p; %d or %u\n", N(97), S("alice"), N(0x1234abcd), N(0x1234abcd), N(0x1234abcd), N(-1),
	  N(-1));
	F("\xcd\xab\x34\x12", "%4b", N(0x1234abcd));
	F("01 0x2 0X3\n", "%#o %#x %#X\n", N(1), N(2), N(3));
	F("\\000 \\t *\n", "%#c %#c %#c\n", N(0), N(9), N(42));
}

static void numbers(void)
{
	F("[   42|42   |00042|+42| 42]", "[%5d|%-5d|%05d|%+d|% d]", N(42), N(42), N(42), N(42), N(42));
	F("[  -42|-42  |-0042|-42]", "[%5i|%-5i|%05i|%+d]", N(-42), N(-42), N(-42), N(-42));
	F("-9223372036854775808 0 9223372036854775807", "%d %d %d", N((stap_long)(1ull << 63)), N(0),
	  N(0x7fffffffffffffff));
	F("[00042|  042|042  ||0]", "[%.5d|%5.3d|%-5.3d|%.0d|%d]", N(42), N(42), N(42), N(0), N(0));
	F("0x0 0 0 0x0", "%#x %#o %x %p", N(0), N(0), N(0), N(0));
	F("0x0000002a|  0x2a|0x2a  |", "%#010x|%#6x|%#-6x|", N(42), N(42), N(42));
	F("ffffffffffffffff 1777777777777777777777", "%x %o", N(-1), N(-1));
	F("[   7|7   |7]", "[%*d|%*d|%.*d]", N(4), N(7), N(-4), N(7), N(1), N(7));
	F("42 42 42 -1 2a", "%ld %lld %zd %hhi %jx", N(42), N(42), N(42), N(-1), N(42));
	F("100%", "%d%%", N(100));
	F("*\x01\x02|", "%1b%2b|", N(0x12a), N(0x201));
}

static void strings(void)
{
	F("[ abc|abc |ab|  ab]", "[%4s|%-4s|%.2s|%4.2s]", S("abc"), S("abc"), S("abc"), S("abc"));
	F("[]", "[%s]", STAP_S(((struct stap_str){NULL, 0})));
	F("[  x|x  ]", "[%3c|%-3c]", N('x'), N('x'));
	F("%q %", "%q %", N(0));
	F("%ll%d% 0", "%ll%d%% %d", N(0)); // no conversion: as it is written
	F("%3b|%99999999999999d|%lhd|%y", "%3b|%99999999999999d|%lhd|%y", N(1));
	F("a", "%c%s", N('a')); // an argument is missing
	F("\\\\ \\n \\033 ' ", "%#c %#c %#c ' ", N('\\'), N('\n'), N(27));
}

static void memory(void)
{
	static const char bytes[] = "\x01\xabxyz";
	stap_long at = (stap_long)(unsigned long)bytes;

	F("xyz 01ab 01", "%.3m %.2M %M", N(at + 2), N(at), N(at));
	F("[   xy|xy   ]", "[%5.2m|%#-5.2m]", N(at + 2), N(at + 2));
	CHECK(!fault.kind);
	F("", "%.4m", N(8));
	CHECK(fault.kind == STAP_FAULT_KERNEL_READ && fault.address == 8);
}

static void bounds(void)
{
	union stap_arg wide[] = {N(2000000000), N(1)};
	char small[8];
	struct stap_format_in in = {STAP_STR("0123456789"), NULL, 0, NULL, NULL};

	CHECK(stap_format_text(&in, small, 4, &fault) == 10 && !memcmp(small, "0123", 4));
	CHECK(stap_format_text(&in, NULL, 0, &fault) == 10);
	CHECK(format("%*d", wide, 2, sizeof(out) - 1).len == STAP_FORMAT_MAX_WIDTH);
	CHECK(format("%1000000d", wide, 1, sizeof(out) - 1).len == STAP_FORMAT_MAX_WIDTH);
	CHECK(stap_format_takes(STAP_STR("%*.*s %d%%"), "nnsn", 4) && stap_format_takes(STAP_STR("%"), "", 0));
	CHECK(!stap_format_takes(STAP_STR("%*.*s %d%%"), "nnsn", 3) && !stap_format_takes(STAP_STR("%d"), "nn", 2));
	CHECK(!stap_format_takes(STAP_STR("%*.*s %d%%"), "nssn", 4) && !stap_format_takes(STAP_STR("%s"), "n", 1));
	CHECK(!stap_format_takes(STAP_STR("%d"), "s", 1) && !stap_format_takes(STAP_STR("%d"), "x", 1));
}

// Makes strings of the arguments that the format takes as strings.
static void put_strings(struct stap_str text, union stap_arg *args)
{
	struct stap_directive d;
	u32 at = 0, n = 0;

	while (stap_format_next(text, &at, &d)) {
		n += d.width_from_arg + d.precision_from_arg + (d.conversion != NULL);
		if (d.conversion && d.conversion->kind == STAP_CONVERT_STRING)
			args[n - 1] = S("str");
	}
}

// Any text is a format that ends, and writes inside its bounds.
static void random_formats(void)
{
	static const char letters[] = "%%%%%bcdimMopsuxX*.-+ #0123456789lqz";
	union stap_arg args[16];
	char text[24];

	for (int i = 0; i < 20000; i++) {
		u32 n = (u32)(unit_random() % sizeof(text)), size = (u32)(unit_random() % 200);

		for (u32 k = 0; k + 1 < sizeof(text); k++)
			text[k] = letters[unit_random() % (sizeof(letters) - 1)];
		text[n < sizeof(text) ? n : sizeof(text) - 1] = 0;
		text[sizeof(text) - 1] = 0;
		for (u32 k = 0; k < 16; k++)
			args[k] = N((stap_long)unit_random());
		put_strings(stap_cstr(text), args);
		format(text, args, (u32)(unit_random() % 16), size);
	}
}

int main(void)
{
	documented();
	numbers();
	strings();
	memory();
	bounds();
	random_formats();
	return 0;
}
