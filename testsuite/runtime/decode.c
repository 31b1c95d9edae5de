// SPDX-License-Identifier: GPL-2.0-or-later
// From the handler to the event: what a record tells of its probe, format and arguments; what does not fit is refused.
#include "unit.h"

#include "../../staprun/staprun.h"

static struct stap_event no_event;

enum { OPENED, CLOSED, PROBES };
static struct stap_probe probes[PROBES] = {
	[OPENED] = {.point = "kernel.function(\"open\")", .attach = {.kind = STAP_ATTACH_TIMER}},
	[CLOSED] = {.point = "kernel.function(\"close\")", .attach = {.kind = STAP_ATTACH_TIMER}},
};
enum { PLAIN, MIXED, STARS, NAMES, FORMATS };
static const struct stap_format formats[FORMATS] = {
	[PLAIN] = {STAP_STR("n=%d\n"), "n", 1},
	[MIXED] = {STAP_STR("%s %x %s|"), "sns", 3},
	[STARS] = {STAP_STR("%*.*s%%"), "nns", 3},
	[NAMES] = {STAP_STR("%s=%s"), "AB", 2},
};
UNIT_PROGRAM(.probes = probes, .probe_count = PROBES, .formats = formats, .format_count = FORMATS);

volatile int interrupts;
static unsigned complaints;
void complain(const char *word, const char *format, ...)
{
	(void)word;
	(void)format;
	complaints++;
}

static struct stap_shm *shm;
static u64 shm_size;
static struct reader *reader;
static struct decoder *decoder;
static struct script script;
static const char *problem;

static void fresh(void)
{
	unit_init(8192);
	unit_run();
	shm = stap_session_shm(&shm_size);
	reader = reader_create(shm, shm_size, &problem);
	script = (struct script){.pid = getpid(), .shm = shm, .shm_size = shm_size};
	decoder = decoder_create(&script, &problem);
	CHECK(reader && decoder);
}

static void done(void)
{
	decoder_destroy(decoder);
	reader_destroy(reader);
	stap_session_free(&stap_program);
	close(user.shared_fd);
	close(user.wake_fd);
}

static void print(u32 probe, u32 format, const union stap_arg *args)
{
	struct stap_ctx *c = stap_enter(&probes[probe], &no_event);

	CHECK(c);
	stap_printf(c, format, args);
	stap_leave(c);
}

// --- what an event says --------------------------------------------------------

static unsigned seen;
static u64 last_time;

static void look(void *data, const struct stap_record *record, unsigned cpu, const char *payload, unsigned length)
{
	struct event e;

	(void)data;
	CHECK(!decode(decoder, record, cpu, payload, length, &e));
	CHECK(e.cpu == cpu && e.time_ns == record->time_ns && e.time_ns >= last_time);
	last_time = e.time_ns;
	switch (seen++) {
	case 0:
		CHECK(e.kind == STAP_RECORD_FORMAT && e.format->arg_count == 3);
		CHECK_STR(e.probe, "kernel.function(\"close\")");
		CHECK_STR(e.format->text, "%s %x %s|");
		CHECK(!memcmp(e.format->arg_types, "sns", 3));
		CHECK_STR(e.args[0].s, "file");
		CHECK(e.args[1].n == -2);
		CHECK_STR(e.args[2].s, "");
		break;
	case 1:
		CHECK(e.kind == STAP_RECORD_FORMAT && e.args[0].n == 7);
		CHECK_STR(e.probe, "kernel.function(\"open\")");
		break;
	case 2:
		CHECK(e.kind == STAP_RECORD_TEXT);
		CHECK_STR(e.probe, "kernel.function(\"close\")");
		CHECK_STR(e.text, "as it is");
		break;
	case 3: // of a process, where addresses of the kernel have no names
		CHECK(e.kind == STAP_RECORD_FORMAT);
		CHECK_STR(e.args[0].s, "0xffffffff81000000");
		CHECK_STR(e.args[1].s, "0x10");
		break;
	case 4:
		CHECK(e.kind == STAP_RECORD_STACK && e.form == STAP_STACK_DATA && e.frame_count == 2);
		CHECK(e.frames[0].address == 0xffffffff81000000 && e.frames[1].address == 0x20);
		CHECK_STR(e.frames[1].symbol, "0x20");
		break;
	default: CHECK(e.kind == STAP_RECORD_WARN && !e.probe.len); CHECK_STR(e.text, "from no handler");
	}
}

static void events(void)
{
	const union stap_arg mixed[] = {STAP_S(STAP_STR("file")), STAP_N(-2), STAP_S(STAP_STR(""))};
	const union stap_arg names[] = {STAP_N((stap_long)0xffffffff81000000), STAP_N(16)};
	const union stap_arg seven = STAP_N(7);
	struct stap_ctx *c;

	fresh();
	print(CLOSED, MIXED, mixed);
	print(OPENED, PLAIN, &seven);
	c = stap_enter(&probes[CLOSED], &no_event);
	CHECK(c);
	stap_print(c, STAP_STR("as it is"));
	stap_printf(c, NAMES, names);
	stap_print_addresses(c, STAP_STR("0xffffffff81000000  20\n"), STAP_STACK_DATA);
	stap_print_addresses(c, STAP_STR(" \n"), STAP_STACK_DATA);
	stap_leave(c);
	stap_emit_outside(STAP_RECORD_WARN, STAP_STR("from no handler"));
	reader_drain(reader, 1, look, NULL);
	CHECK(seen == 6);
	done();
}

// --- what does not fit ---------------------------------------------------------

static const char *refusal(u32 kind_and_probe, const void *payload, unsigned length)
{
	const struct stap_record record = {sizeof(record) + length, kind_and_probe, 1};
	char *exact = malloc(length ? length : 1); // so that a byte read too far is noticed
	const char *why;
	struct event e;

	memcpy(exact, payload, length);
	why = decode(decoder, &record, 0, exact, length, &e);
	free(exact);
	return why ? why : "";
}

static void refusals(void)
{
	const u32 format = stap_kind_and_probe(STAP_RECORD_FORMAT, OPENED);
	const u32 plain[] = {PLAIN, 5, 0, 0}, mixed[] = {MIXED, 0xfffffff0, 0, 0, 0}, beyond[] = {FORMATS, 0, 0};

	const u32 stack = stap_kind_and_probe(STAP_RECORD_STACK, OPENED);
	const u32 of_process = stap_kind_and_probe(STAP_RECORD_USER_ADDRESSES, OPENED);
	const u32 whole = stap_kind_and_probe(STAP_RECORD_USER_STACK, OPENED);
	const struct stap_record_user_stack nowhere = {.form = STAP_STACK_BRIEF, .max_frames = 3},
					    formless = {.form = STAP_STACK_FORMS},
					    cut = {.form = STAP_STACK_BRIEF, .max_frames = 3, .first_size = 1};
	const u32 two[] = {STAP_STACK_DATA, 2, 0, 0, 0, 0, 0}, no_form[] = {STAP_STACK_FORMS, 0},
		  many[] = {STAP_STACK_DATA, 0x20000001, 0, 0};

	fresh();
	CHECK(!strcmp(refusal(stack, two, 24), ""));
	CHECK(!strcmp(refusal(stack, two, 25), "its addresses don't fit the stack"));
	CHECK(!strcmp(refusal(stack, two, 16), "its addresses don't fit the stack"));
	CHECK(!strcmp(refusal(stack, many, 16), "its addresses don't fit the stack"));
	CHECK(!strcmp(refusal(of_process, two, 15), "too short for a stack"));
	CHECK(!strcmp(refusal(of_process, two, 24), "its addresses don't fit the stack"));
	CHECK(!strcmp(refusal(whole, &nowhere, sizeof(nowhere)), ""));
	CHECK(!strcmp(refusal(whole, &nowhere, sizeof(nowhere) - 1), "too short for a stack"));
	CHECK(!strcmp(refusal(whole, &cut, sizeof(cut)), "its bytes don't fit the stack"));
	CHECK(!strcmp(refusal(whole, &formless, sizeof(formless)), "no such form of a stack"));
	CHECK(!strcmp(refusal(stack, no_form, 8), "its addresses don't fit the stack"));
	CHECK(!strcmp(refusal(stack, two, 7), "too short for a stack"));
	CHECK(!strcmp(refusal(format, plain, 12), ""));
	CHECK(!strcmp(refusal(format, plain, 11), "its arguments don't fit the format"));
	CHECK(!strcmp(refusal(format, plain, 13), "its arguments don't fit the format"));
	CHECK(!strcmp(refusal(format, plain, 3), "too short for a format"));
	CHECK(!strcmp(refusal(format, mixed, 20), "its arguments don't fit the format"));
	CHECK(!strcmp(refusal(format, beyond, 12), "no such format"));
	CHECK(!strcmp(refusal(stap_kind_and_probe(STAP_RECORD_TEXT, PROBES), "x", 1), "no such probe"));
	CHECK(!strcmp(refusal(stap_kind_and_probe(STAP_RECORD_TEXT, STAP_NO_PROBE), "x", 1), ""));
	CHECK(!strcmp(refusal(stap_kind_and_probe(99, OPENED), "x", 1), "of an unknown kind"));
	CHECK(!strcmp(refusal(stap_kind_and_probe(STAP_RECORD_PAD, OPENED), "x", 1), "of an unknown kind"));
	done();
}

static void render(void *data, const struct stap_record *record, unsigned cpu, const char *payload, unsigned length)
{
	struct event e;

	if (!decode(data, record, cpu, payload, length, &e) &&
	    (e.kind == STAP_RECORD_TEXT || e.kind == STAP_RECORD_FORMAT || e.kind == STAP_RECORD_STACK)) {
		struct output *out = output_create("/dev/null", &problem);

		render_text(out, &e);
		output_destroy(out);
	}
}

// Tables and records full of nonsense: refused, or rendered without reading what is not theirs.
static void hostile(void)
{
	const union stap_arg stars[] = {STAP_N(9), STAP_N(3), STAP_S(STAP_STR("text"))};
	unsigned refused = 0;

	for (int i = 0; i < 3000; i++) {
		struct decoder *other;
		char *tables, *record;

		fresh();
		print(i % PROBES, STARS, stars);
		tables = (char *)shm + shm->strings_offset;
		for (int k = 0; k <= i % 4; k++)
			tables[unit_random() % 200] = (char)unit_random();
		for (u32 cpu = 0; cpu < stap_core.cpu_count; cpu++) {
			record = stap_core.cpus[cpu].ring.data;
			record[4 + unit_random() % 40] ^= (char)(unit_random() % 3);
		}
		if (i % 7 == 0)
			shm->format_count = (u32)unit_random();
		if (i % 11 == 0)
			shm->probe_count = (u32)unit_random();
		other = decoder_create(&script, &problem);
		if (other)
			reader_drain(reader, 1, render, other);
		else
			refused++;
		decoder_destroy(other);
		shm->format_count = FORMATS;
		shm->probe_count = PROBES;
		done();
	}
	CHECK(refused > 100 && refused < 2900);
}

int main(void)
{
	events();
	refusals();
	hostile();
	return 0;
}
