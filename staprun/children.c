// SPDX-License-Identifier: GPL-2.0-or-later
// Child processes: the -c command, which starts when the probes are armed, and the commands of system().
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

#include "staprun.h"

static unsigned system_commands; // running

static void default_signals(void)
{
	static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGPIPE, SIGUSR1};
	sigset_t none;

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		signal(ours[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void end_with_parent(pid_t parent, int signal)
{
	prctl(PR_SET_PDEATHSIG, signal);
	if (getppid() != parent) // it was killed before we asked
		raise(signal);
}

// A plain list of words, quoted or with variables and patterns, needs no shell, and then target() is the command
// itself.
static void exec_command(const char *text)
{
	wordexp_t words;

	// It refuses by itself what takes a shell: | & ; < > ( ) { }, and commands in words.
	if (!wordexp(text, &words, WRDE_NOCMD) && words.we_wordc && !strchr(words.we_wordv[0], '='))
		execvp(words.we_wordv[0], words.we_wordv);
	// A builtin of the shell, or a mistake, which it reports.
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(127);
}

int command_prepare(struct command *c, const char *text)
{
	int pipe_fds[2];
	const pid_t parent = getpid();
	char go;

	if (pipe2(pipe_fds, O_CLOEXEC)) {
		error("can't make a pipe: %s", strerror(errno));
		return -1;
	}
	c->pid = fork();
	if (c->pid < 0) {
		error("can't start '%s': %s", text, strerror(errno));
		return -1;
	}
	if (!c->pid) {
		default_signals();
		end_with_parent(parent, SIGTERM);
		close(pipe_fds[1]);
		if (read(pipe_fds[0], &go, 1) != 1)
			_exit(0); // the script did not start
		exec_command(text);
	}
	close(pipe_fds[0]);
	c->go = pipe_fds[1];
	return 0;
}

void command_release(struct command *c)
{
	if (c->go >= 0 && write(c->go, "g", 1) == 1)
		close(c->go);
	c->go = -1;
}

void command_terminate(struct command *c)
{
	struct timespec pause = {0, 10000000};

	if (c->go >= 0)
		close(c->go);
	c->go = -1;
	if (c->pid <= 0 || c->ended)
		return;
	kill(c->pid, SIGTERM);
	for (int i = 0; i < 200 && interrupts < 2; i++) {
		if (waitpid(c->pid, &c->status, WNOHANG) != 0) {
			c->ended = 1;
			return;
		}
		nanosleep(&pause, NULL);
	}
	kill(c->pid, SIGKILL);
	waitpid(c->pid, &c->status, 0);
	c->ended = 1;
}

void run_system(const char *text, unsigned length)
{
	char *copy = strndup(text, length);
	pid_t pid = copy ? fork() : -1;

	if (!pid) {
		default_signals();
		execl("/bin/sh", "sh", "-c", copy, (char *)NULL);
		_exit(127);
	}
	if (pid < 0)
		error("can't run the command of system(): %s", strerror(errno));
	else
		system_commands++;
	free(copy);
}

void reap_children(struct command *c, pid_t script_pid, int *script_died, int *script_status)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == c->pid) {
			c->ended = 1;
			c->status = status;
		} else if (pid == script_pid) {
			*script_died = 1;
			*script_status = status;
		} else if (system_commands) {
			system_commands--;
		}
	}
}

void wait_for_system_commands(void)
{
	while (system_commands && interrupts < 2) {
		pid_t pid = waitpid(-1, NULL, 0);

		if (pid > 0)
			system_commands--;
		else if (pid < 0 && errno == ECHILD)
			return;
	}
}
