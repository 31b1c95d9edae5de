// SPDX-License-Identifier: GPL-2.0-or-later
// Standard input for a script with input.char or input.line probes, passed on piece by piece.
//
// The next piece is read when the handlers of the last have run, so nothing is lost and nothing piles up. A terminal is
// told to pass each character on when it is typed, and not to show it, when the script wants characters.
#define _GNU_SOURCE
#include <errno.h>
#include <termios.h>
#include <unistd.h>

#include "staprun.h"

#define WANTS_CHARACTERS 1

static struct termios terminal_mode; // as it was
static volatile int terminal_changed;

void input_start(struct input *in, struct script *s)
{
	struct termios mode;

	in->script = s;
	in->wanted = s->shm->wants_input != 0;
	if (!(s->shm->wants_input & WANTS_CHARACTERS) || tcgetattr(STDIN_FILENO, &terminal_mode))
		return;
	if (tcgetpgrp(STDIN_FILENO) != getpgrp())
		return; // in the background: the terminal is somebody else's
	mode = terminal_mode;
	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	mode.c_cc[VMIN] = 1;
	mode.c_cc[VTIME] = 0;
	terminal_changed = !tcsetattr(STDIN_FILENO, TCSANOW, &mode);
}

void input_stop(void)
{
	if (terminal_changed)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal_mode);
	terminal_changed = 0;
}

int input_fd(const struct input *in)
{
	return in->wanted && !in->asked ? STDIN_FILENO : -1;
}

void input_read(struct input *in)
{
	char text[sizeof(((struct stap_user_message *)0)->text)];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) { // also what a terminal says to who is in the background
		in->wanted = 0;
		n = 0;
	}
	in->asked = !script_request_text(in->script, STAP_USER_INPUT, text, (unsigned)n);
}

void input_taken(struct input *in)
{
	in->asked = 0;
}
