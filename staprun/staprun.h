// SPDX-License-Identifier: GPL-2.0-or-later
// What the files of staprun share: options, the loaded script, the reader, output, children.
#ifndef STAPRUN_H
#define STAPRUN_H

#include <stdio.h>
#include <sys/types.h>

#include "abi/record.h"
#include "core/format.h"
#include "user/user.h"

#define STAPRUN_VERSION "0.1"

struct options {
	const char *file;      // the module or shared object
	const char **settings; // NAME=VALUE, for the script's globals
	unsigned setting_count;
	const char *output;        // -o
	const char *command;       // -c
	const char *delete_module; // -d
	const char *status_of;     // --status
	unsigned target_pid;       // -x
	unsigned timeout_s;        // -T, 0: none
	unsigned ring_mb;          // -s, 0: the runtime's default
	int verbose;
	int no_warnings;
	int unique_name;      // -R
	const char **symbols; // --symbols: names of modules, paths of programs and libraries
	unsigned symbols_count;
	int with_libraries; // --ldd
};

// options.c: exits on -h, -V and on errors.
void parse_options(int argc, char **argv, struct options *o);

// --- messages.c: standard error ---
void complain(const char *word, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define error(...)   complain("ERROR", __VA_ARGS__)
#define warning(...) complain("WARNING", __VA_ARGS__)

// --- hints.c: what helps against an error of the script, a line on standard error; nothing for most errors ---
void error_hint(const char *message, unsigned length);

// --- a script: script.c tells its kind; kernel.c loads a module, process.c starts a process ---
//
// Both answer the requests of user/user.h (START, STOP) on a socket, so that staprun
// goes on reading while begin and end probes run.
struct script;
struct script_operations {
	// Loads: 0, or -1 with the reason printed.
	int (*open)(struct script *s, const struct options *o);
	// Makes a START that is under way end soon; the answer to it still comes. NULL: it never takes long.
	void (*cancel_start)(struct script *s);
	// Makes wake_fd quiet until the script writes again.
	void (*take_wake)(struct script *s);
	// Unmaps, unloads, or waits for the process's end.
	void (*close)(struct script *s);
	// Adds what the probe mechanisms have dropped by themselves to the tables of skipped hits; NULL: nothing to do.
	// Only while the script is running, and neither starting nor stopping.
	void (*count_missed)(const struct script *s);
	// Last resort, safe in a signal handler.
	void (*abandon)(const struct script *s);
};
extern const struct script_operations kernel_script, process_script;

struct script {
	const struct script_operations *operations;
	int socket;  // requests and answers
	int wake_fd; // readable: look at the rings
	pid_t pid;   // of the script's process, 0 for a module
	struct stap_shm *shm;
	unsigned long long shm_size;
	long long clock_ahead_ns; // of the time stamps' clock to now_ns()
	// kernel
	int proc_fd;
	int worker_running;
	unsigned long worker; // pthread_t
	char name[64];
};

int kernel_delete(const char *name); // -d

// Loads the file by what it is, whatever its name: 0, or -1 with the reason printed.
int script_open(struct script *s, const struct options *o);
// Sends a request. 0, or -1 when the script is gone.
int script_request(struct script *s, unsigned kind, long long value);
// The same with at most sizeof(stap_user_message.text) bytes of text.
int script_request_text(struct script *s, unsigned kind, const char *text, unsigned length);
// The next answer: 1, 0 when there is none, -1 when the script is gone.
int script_answer(struct script *s, struct stap_user_message *m);

// --- image.c ---
// The name in a module file's .gnu.linkonce.this_module, else made from the path.
void module_name(const char *path, char *name, size_t size);
// Is the image a kernel module, or a shared object? What it holds is not looked at.
int image_is_module(char *image, size_t size);
int image_is_shared_object(const char *image, size_t size);
// The file in memory, to be freed; NULL with errno.
char *module_image_read(const char *path, size_t *size);
// Gives the module the name OLD_PID, OLD shortened if need be, and says it in name (at least 64 bytes).
// -1 when the image is no module.
int module_image_rename(char *image, size_t size, char *name, size_t name_size);

// --- module.c ---
// Prints why finit_module failed and what helps: the hint, or what usually does when that is NULL.
void explain_load_failure(int problem, const char *path, const char *name, const char *hint);
// _stext, 0 when it can't be read.
unsigned long long kernel_text_address(void);
// The sections whose addresses the script needs, those that are loaded; free() the result.
struct stap_ioc_module *needed_sections(int proc_fd, unsigned *count);

// --- reader.c ---
struct reader;
// A record goes to `sink`; its payload is in the ring.
typedef void record_sink(void *data, const struct stap_record *record, unsigned cpu, const char *payload,
			 unsigned length);
struct reader *reader_create(struct stap_shm *shm, unsigned long long size, const char **problem);
void reader_destroy(struct reader *r);
// By how much the clock of the records' time stamps is ahead of now_ns(); 0 unless said.
void reader_set_clock(struct reader *r, long long ahead_ns);
unsigned long long now_ns(void); // CLOCK_MONOTONIC
struct reader_progress {
	unsigned long long records; // delivered by this call
	int pending;                // there are more, not yet ripe
	int nearly_full;            // some ring was more than a quarter full
};
// Delivers in time order what is ripe; everything when `final`.
struct reader_progress reader_drain(struct reader *r, int final, record_sink *sink, void *data);
void reader_sleep(struct reader *r); // asks to be woken for the next record
void reader_awake(struct reader *r);
int reader_has_data(struct reader *r);
struct reader_totals {
	unsigned long long produced, delivered, lost;
	int exact;        // produced = delivered + lost, on every CPU
	unsigned corrupt; // rings that were given up
};
struct reader_totals reader_account(struct reader *r);
// "cpu 0: 12, cpu 3: 4" of what was lost.
void reader_lost_per_cpu(struct reader *r, char *text, size_t size);

// --- kallsyms.c: the kernel's symbols ---
struct kallsyms;
struct kernel_symbol {
	const char *name;
	const char *module; // NULL: the kernel itself
	u64 start, end;
};
struct kallsyms *kallsyms_create(void); // NULL: no memory
void kallsyms_destroy(struct kallsyms *k);
// The symbol that the address is in, whose names stay until the next call: 1, or 0 when it is in none.
int kallsyms_find(struct kallsyms *k, u64 address, struct kernel_symbol *found);
int kallsyms_find_known(const struct kallsyms *k, u64 address, struct kernel_symbol *found); // without looking again
u64 kallsyms_text(struct kallsyms *k); // where the kernel's text begins

// --- symbols.c: names of addresses ---
struct symbols;
// A line of a stack.
struct event_frame {
	u64 address;
	struct stap_str symbol;
};
struct symbols *symbols_create(const struct script *script); // NULL: no memory
// Makes what the options name stay known, whatever becomes of it; `points` are those of the script's probes.
void symbols_keep(struct symbols *s, const struct script *script, const struct options *o,
		  const struct stap_str *points, u32 count);
void symbols_destroy(struct symbols *s);
// What the calls below return stays until the release.
void symbols_release(struct symbols *s);
// The string that the type says, of an address; "0x..." when that is not known.
struct stap_str symbols_kernel(struct symbols *s, enum stap_arg_type type, u64 address);
struct stap_str symbols_user(struct symbols *s, enum stap_arg_type type, const struct stap_user_place *at);
// usymdata() of each address in the string, a line each.
struct stap_str symbols_user_lines(struct symbols *s, const struct stap_user_place *whose, struct stap_str addresses);
// The lines of a stack of which the record has `count` addresses, or the registers and the bytes.
const struct event_frame *symbols_stack(struct symbols *s, enum stap_stack_form form, const char *addresses, u32 count,
					u32 *frame_count);
const struct event_frame *symbols_user_addresses(struct symbols *s, enum stap_stack_form form,
						 const struct stap_user_place *whose, const char *addresses, u32 count,
						 u32 *frame_count);
const struct event_frame *symbols_user_stack(struct symbols *s, const struct stap_record_user_stack *head,
					     const char *bytes, u32 size, u32 *frame_count);

// --- decode.c: a record becomes an event ---
struct event_format {
	struct stap_str text;
	const char *arg_types; // an enum stap_arg_type each
	u32 arg_count;
};
struct event {
	enum stap_record_kind kind;
	unsigned cpu;
	u64 time_ns;                  // CLOCK_MONOTONIC
	struct stap_str probe;        // the probe point; empty when no handler wrote the record
	struct stap_str text;         // the payload, but of the kinds below
	struct stap_record_lost lost; // of STAP_RECORD_LOST
	// Of STAP_RECORD_FORMAT:
	const struct event_format *format;
	const union stap_arg *args; // [format->arg_count]; a symbol is a string
	// Of STAP_RECORD_STACK, for all kinds of stacks:
	const struct event_frame *frames; // [frame_count]
	u32 frame_count;
	enum stap_stack_form form; // STAP_STACK_BRIEF: addresses are not shown
};
struct decoder;
// Copies the tables of the script's shared area once they are found sound; NULL with the reason.
struct decoder *decoder_create(const struct script *script, const char **problem);
void decoder_keep_symbols(struct decoder *d, const struct script *script,
			  const struct options *o); // symbols_keep(), before the script starts
void decoder_destroy(struct decoder *d);
struct stap_str decoder_probe(const struct decoder *d, u32 probe); // its point; empty for a number of no probe
// Fills in the event, which is valid until the next call: NULL, or what is wrong with the record.
const char *decode(struct decoder *d, const struct stap_record *record, unsigned cpu, const char *payload,
		   unsigned length, struct event *e);

// --- renderers, a file each: what a script prints becomes text, JSON, ... ---
struct output;
// Writes an event of kind STAP_RECORD_TEXT, STAP_RECORD_FORMAT or STAP_RECORD_STACK: NULL, or why it can't be written.
typedef const char *event_renderer(struct output *out, const struct event *e);
event_renderer render_text; // render_text.c

// --- relay.c: where each record goes ---
struct relay;
struct relay *relay_create(const struct script *s, struct output *out, const struct options *o, const char **problem);
void relay_destroy(struct relay *r);
record_sink relay_record;                     // its data is the relay
unsigned relay_errors(const struct relay *r); // ERROR and malformed records

struct stap_str relay_probe(const struct relay *r, u32 probe); // its point; empty for a number of no probe

// --- skipped.c ---
// Errors and hits that did not run their handler: how many, why, at which probes most (`all`: at all). Each line is
// "WORD: ..."; none when there is nothing to tell.
void report_skipped(FILE *to, const char *word, const struct stap_shm *shm, unsigned long long size,
		    const struct relay *relay, int all);

// --- ways.c ---
// By which mechanisms the probes are attached, lines that begin with `word`; `names`: and which probes.
void report_ways(FILE *to, const char *word, const struct script *s, const struct relay *relay, int names);

// --- status.c: how the script fares, on demand ---
struct status_of {
	const struct script *script;
	struct reader *reader;
	const struct relay *relay;
	const struct output *out;
};
void status_print(FILE *to, const struct status_of *s);
// A socket where the status of the script of this name can be asked for: poll it, it needs no more. -1: there is none.
int status_listen(const char *name);
void status_answer(int listener, const struct status_of *s);
int status_ask(const char *name); // --status; the exit status

// --- output.c ---
struct output *output_create(const char *path, const char **problem);
void output_write(struct output *out, const char *text, size_t size);
// Room for size bytes at the end of the buffer, to be followed by output_advance.
char *output_reserve(struct output *out, size_t size);
void output_advance(struct output *out, size_t size);
void output_flush(struct output *out);
void output_end_record(struct output *out);                    // what was written since the last call is one record
int output_problem(const struct output *out);                  // errno of the first write that failed; 0
unsigned long long output_unwritten(const struct output *out); // records that could not be written, wholly or in part
void output_close(struct output *out);                         // writes what is left; the counts are final then
void output_destroy(struct output *out);

// --- input.c: the standard input, for a script that wants it ---
struct input {
	struct script *script;
	int wanted; // it is to be read
	int asked;  // the script has not answered the last piece yet
};
void input_start(struct input *in, struct script *s);
int input_fd(const struct input *in); // to be polled for reading; -1: not now
void input_read(struct input *in);    // when there is something, or the end
void input_taken(struct input *in);   // the script's answer has come
void input_stop(void);                // gives a terminal its mode back; safe in a signal handler

// --- children.c ---
// In a child: it gets the signal when its parent ends, however that happens.
void end_with_parent(pid_t parent, int signal);
struct command {
	pid_t pid; // 0: none, or it has ended
	int go;    // pipe that releases it
	int ended, status;
};
int command_prepare(struct command *c, const char *text); // forks; waits before exec
void command_release(struct command *c);
void command_terminate(struct command *c);
void run_system(const char *text, unsigned length); // system()
// Reaps what has ended; the script's process is told apart by its pid.
void reap_children(struct command *c, pid_t script_pid, int *script_died, int *script_status);
void wait_for_system_commands(void);

// --- run.c ---
// Runs a loaded script to its end; the exit status.
int run_script(struct script *s, const struct options *o);
extern volatile int interrupts; // how often the user asked to stop

#endif
