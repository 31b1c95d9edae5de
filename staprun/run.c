// SPDX-License-Identifier: GPL-2.0-or-later
// The life of a run: start, relay records until something says stop, stop, drain, account.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun.h"

#define IDLE_MS     200  // looks at the rings at least so often, should a wake-up get lost
#define RIPENING_MS 1    // records are there but may not be the oldest yet
#define PROGRESS_MS 1000 // a start that takes longer shows how far it is
#define BATCH_MS    2    // after some records more are likely: gather them instead of waking for each

volatile int interrupts;
static volatile sig_atomic_t status_wanted; // SIGUSR1
static int signal_pipe[2] = {-1, -1};
static const struct script *abandoned; // for the third ^C

enum phase { STARTING, RUNNING, STOPPING, STOPPED };

struct run {
	struct script *script;
	const struct options *options;
	struct reader *reader;
	struct relay *relay;
	struct output *out;
	struct command command;
	enum phase phase;
	unsigned long long deadline_ms;
	unsigned long long start_ms, progress_ms; // when it was asked to start; after how long to say how far it is
	int start_failed, script_died, script_status;
	int wait_ms, watch_rings; // how the next wait is made
	int status_socket;        // -1: there is none
	struct input input;
};

static unsigned long long now_ms(void)
{
	return now_ns() / 1000000;
}

// The first ^C stops the script, its end probes run; the second does not wait for
// children or slow pipes; the third leaves at once.
static void on_signal(int number)
{
	int saved = errno;

	if (number == SIGUSR1) {
		status_wanted = 1;
	} else if (number != SIGCHLD && ++interrupts >= 3) {
		if (abandoned)
			abandoned->operations->abandon(abandoned);
		input_stop();
		_exit(1);
	}
	if (write(signal_pipe[1], "s", 1) < 0)
		errno = 0; // full: the loop is woken anyway
	errno = saved;
}

static int catch_signals(void)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGUSR1};
	struct sigaction a = {.sa_handler = on_signal}; // no SA_RESTART: a blocked write must notice

	if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK))
		return -1;
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &a, NULL);
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

static void request_stop(struct run *r)
{
	if (r->phase >= STOPPING)
		return;
	if (r->phase == STARTING && r->script->operations->cancel_start)
		r->script->operations->cancel_start(r->script);
	r->phase = STOPPING;
	if (script_request(r->script, STAP_USER_STOP, 0))
		r->phase = STOPPED;
}

static void started(struct run *r, const struct stap_user_message *m)
{
	if (m->value) {
		error("the script can't start: %s", m->text[0] ? m->text : strerror((int)-m->value));
		r->start_failed = 1;
		request_stop(r);
		return;
	}
	if (r->phase != STARTING)
		return;
	r->phase = RUNNING;
	if (r->options->verbose) {
		fprintf(stderr, "staprun: the script is running\n");
		report_ways(stderr, "staprun", r->script, r->relay, r->options->verbose > 1);
	}
	input_start(&r->input, r->script);
	if (r->options->command)
		command_release(&r->command);
}

static void take_answers(struct run *r)
{
	struct stap_user_message m;
	int got;

	while ((got = script_answer(r->script, &m)) > 0) {
		if (m.kind == STAP_USER_STARTED)
			started(r, &m);
		else if (m.kind == STAP_USER_TAKEN)
			input_taken(&r->input);
		else if (m.kind == STAP_USER_STOPPED)
			r->phase = STOPPED;
	}
	if (got < 0)
		r->phase = STOPPED;
}

// What ends the script, whichever comes first.
static void check_ends(struct run *r)
{
	if (r->phase >= STOPPING)
		return;
	if (__atomic_load_n(&r->script->shm->state, __ATOMIC_ACQUIRE) >= STAP_STATE_STOPPING)
		request_stop(r); // exit(), or too many errors
	else if (interrupts || r->command.ended || output_problem(r->out))
		request_stop(r);
	else if (r->deadline_ms && now_ms() >= r->deadline_ms)
		request_stop(r);
}

// After a second, and then each time that has doubled.
static void show_progress(struct run *r)
{
	const struct stap_shm *shm = r->script->shm;
	u32 total = __atomic_load_n(&shm->attach_total, __ATOMIC_ACQUIRE);

	if (r->phase != STARTING || !total || now_ms() - r->start_ms < r->progress_ms)
		return;
	r->progress_ms *= 2;
	output_flush(r->out);
	fprintf(stderr, "staprun: attached %u of %u probes\n", __atomic_load_n(&shm->attach_done, __ATOMIC_ACQUIRE),
		total);
}

// Answers who wants to know how the script fares; `asked`: by the socket.
static void tell_status(struct run *r, int asked)
{
	const struct status_of s = {r->script, r->reader, r->relay, r->out};

	if (!asked && !status_wanted)
		return;
	if (r->phase == RUNNING && r->script->operations->count_missed)
		r->script->operations->count_missed(r->script);
	output_flush(r->out);
	if (status_wanted)
		status_print(stderr, &s);
	status_wanted = 0;
	if (asked)
		status_answer(r->status_socket, &s);
}

static void drain(struct run *r)
{
	struct reader_progress p = reader_drain(r->reader, 0, relay_record, r->relay);

	if (p.nearly_full) {
		r->wait_ms = 0;
		r->watch_rings = 0;
		return;
	}
	output_flush(r->out);
	r->watch_rings = !p.records && !p.pending;
	r->wait_ms = p.pending ? RIPENING_MS : p.records ? BATCH_MS : IDLE_MS;
}

// The time a wait may take at most, by -T.
static int bounded_wait(const struct run *r)
{
	unsigned long long now = now_ms(), left;

	if (!r->deadline_ms || r->phase >= STOPPING)
		return r->wait_ms;
	left = r->deadline_ms > now ? r->deadline_ms - now : 0;
	return left < (unsigned long long)r->wait_ms ? (int)left : r->wait_ms;
}

// Returns whether somebody asks for the status.
static int wait_for_something(struct run *r)
{
	struct pollfd fds[5] = {
		{.fd = signal_pipe[0], .events = POLLIN},
		{.fd = r->script->socket, .events = POLLIN},
		// POLLPRI: the script wants to be stopped (a module only; a process writes to its eventfd)
		{.fd = r->watch_rings ? r->script->wake_fd : -1,
		 .events = POLLIN | (r->phase < STOPPING ? POLLPRI : 0)},
		{.fd = r->status_socket, .events = POLLIN},
		{.fd = r->phase == RUNNING ? input_fd(&r->input) : -1, .events = POLLIN},
	};
	char drop[64];

	if (r->watch_rings) {
		reader_sleep(r->reader);
		if (reader_has_data(r->reader))
			r->wait_ms = 0;
	}
	if (poll(fds, 5, bounded_wait(r)) < 0 && errno != EINTR)
		error("poll: %s", strerror(errno));
	if (r->watch_rings)
		reader_awake(r->reader);
	r->script->operations->take_wake(r->script);
	while (read(signal_pipe[0], drop, sizeof(drop)) == (ssize_t)sizeof(drop))
		;
	if (fds[4].revents)
		input_read(&r->input);
	return (fds[3].revents & POLLIN) != 0;
}

static void loop(struct run *r)
{
	while (r->phase != STOPPED) {
		int asked = wait_for_something(r);

		reap_children(&r->command, r->script->pid, &r->script_died, &r->script_status);
		take_answers(r);
		if (r->script_died)
			r->phase = STOPPED;
		check_ends(r);
		drain(r);
		show_progress(r);
		tell_status(r, asked);
	}
	reader_drain(r->reader, 1, relay_record, r->relay);
	output_close(r->out);
}

// Says what could not be written. Nobody to read it any more, as in `... | head`, is not worth an error's name.
static int report_unwritten(const struct run *r)
{
	const int problem = output_problem(r->out);
	const unsigned long long records = output_unwritten(r->out);

	if (!problem)
		return 0;
	if (problem != EPIPE)
		error("%llu record%s could not be written: %s", records, records == 1 ? "" : "s", strerror(problem));
	else if (!r->options->no_warnings)
		warning("%llu record%s could not be written: %s", records, records == 1 ? "" : "s", strerror(problem));
	return 1;
}

// Everything that was produced must have come or be counted.
static int account(struct run *r)
{
	const unsigned long long unwritten = output_unwritten(r->out);
	struct reader_totals t = reader_account(r->reader);
	char cpus[512];

	if (!r->options->no_warnings)
		report_skipped(stderr, "WARNING", r->script->shm, r->script->shm_size, r->relay, r->options->verbose);
	if (t.lost && !r->options->no_warnings) {
		reader_lost_per_cpu(r->reader, cpus, sizeof(cpus));
		warning("lost %llu of %llu records (%s); larger buffers (-s MB; they had %u KiB each) or a faster "
			"reader of the output help",
			t.lost, t.produced, cpus, r->script->shm->ring_size >> 10);
	}
	if (r->options->verbose)
		fprintf(stderr, "staprun: records: %llu produced = %llu delivered + %llu lost\n", t.produced,
			t.delivered - unwritten, t.lost + unwritten);
	if (t.exact || r->script_died)
		return t.corrupt != 0;
	error("%llu records were produced, %llu delivered and %llu lost: the numbers don't agree", t.produced,
	      t.delivered, t.lost);
	return 1;
}

static int command_failed(const struct run *r)
{
	const struct command *c = &r->command;

	if (!r->options->command || !c->ended || interrupts)
		return 0;
	if (WIFEXITED(c->status) && WEXITSTATUS(c->status)) {
		warning("the command exited with status %d", WEXITSTATUS(c->status));
		return 1;
	}
	if (WIFSIGNALED(c->status)) {
		warning("the command was ended by signal %d", WTERMSIG(c->status));
		return 1;
	}
	return 0;
}

static int report_death(const struct run *r)
{
	if (!r->script_died || (WIFEXITED(r->script_status) && !WEXITSTATUS(r->script_status)))
		return 0;
	if (WIFSIGNALED(r->script_status))
		error("the script's process was ended by signal %d", WTERMSIG(r->script_status));
	else
		error("the script's process ended with status %d", WEXITSTATUS(r->script_status));
	return 1;
}

static int prepare(struct run *r)
{
	const char *problem = NULL;

	r->out = output_create(r->options->output, &problem);
	if (!r->out) {
		error("can't write to %s: %s", r->options->output, problem);
		return -1;
	}
	r->reader = reader_create(r->script->shm, r->script->shm_size, &problem);
	if (r->reader) {
		reader_set_clock(r->reader, r->script->clock_ahead_ns);
		r->relay = relay_create(r->script, r->out, r->options, &problem);
	}
	if (!r->relay) {
		error("can't read the script's output: %s", problem);
		return -1;
	}
	if (catch_signals()) {
		error("can't catch signals: %s", strerror(errno));
		return -1;
	}
	return r->options->command ? command_prepare(&r->command, r->options->command) : 0;
}

int run_script(struct script *s, const struct options *o)
{
	struct run r = {.script = s,
			.options = o,
			.command = {.go = -1},
			.wait_ms = IDLE_MS,
			.watch_rings = 1,
			.status_socket = -1};
	int failed = 1;

	abandoned = s;
	if (!prepare(&r)) {
		r.start_ms = now_ms();
		r.progress_ms = PROGRESS_MS;
		r.status_socket = status_listen(s->name);
		if (o->timeout_s)
			r.deadline_ms = now_ms() + (unsigned long long)o->timeout_s * 1000;
		if (script_request(s, STAP_USER_START, r.command.pid > 0 ? r.command.pid : (long long)o->target_pid))
			r.phase = STOPPED;
		loop(&r);
		input_stop();
		failed = command_failed(&r);
		command_terminate(&r.command);
		wait_for_system_commands();
		failed |= report_death(&r) | report_unwritten(&r) | account(&r) | r.start_failed;
		failed |= relay_errors(r.relay) || s->shm->failed;
	} else {
		command_terminate(&r.command);
	}
	relay_destroy(r.relay);
	reader_destroy(r.reader);
	output_destroy(r.out);
	if (r.script_died)
		s->pid = 0;
	return failed ? 1 : 0;
}
