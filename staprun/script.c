// SPDX-License-Identifier: GPL-2.0-or-later
// A compiled script, wherever it runs: tells by the file which kind it is; requests to it and its answers.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "staprun.h"

int script_open(struct script *s, const struct options *o)
{
	size_t size = 0;
	char *image = module_image_read(o->file, &size);

	if (!image) {
		error("can't read %s: %s", o->file, strerror(errno));
		return -1;
	}
	s->operations = image_is_module(image, size)          ? &kernel_script
			: image_is_shared_object(image, size) ? &process_script
							      : NULL;
	free(image);
	if (s->operations)
		return s->operations->open(s, o);
	error("%s is not a compiled script: it is neither a kernel module nor a shared object", o->file);
	return -1;
}

int script_request(struct script *s, unsigned kind, long long value)
{
	struct stap_user_message m = {.kind = kind, .value = value};

	return send(s->socket, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m) ? 0 : -1;
}

int script_request_text(struct script *s, unsigned kind, const char *text, unsigned length)
{
	struct stap_user_message m = {.kind = kind, .text_len = length};

	memcpy(m.text, text, length);
	return send(s->socket, &m, sizeof(m), MSG_NOSIGNAL) == (ssize_t)sizeof(m) ? 0 : -1;
}

int script_answer(struct script *s, struct stap_user_message *m)
{
	ssize_t n = recv(s->socket, m, sizeof(*m), MSG_DONTWAIT);

	if (n == (ssize_t)sizeof(*m)) {
		m->text[sizeof(m->text) - 1] = 0;
		return 1;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}
