// SPDX-License-Identifier: GPL-2.0-or-later
// Where the script's text goes: a large buffer in front of standard output or the -o file.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "staprun.h"

#define CHUNK (256u * 1024)

struct output {
	int fd;
	int broken;
	size_t used, size;
	char *buffer;
};

static int open_file(const char *format)
{
	char path[4096];
	time_t now = time(NULL);
	struct tm tm;

	if (!strftime(path, sizeof(path), format, localtime_r(&now, &tm)))
		return -1;
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

struct output *output_create(const char *path, const char **problem)
{
	struct output *out = calloc(1, sizeof(*out));

	if (out)
		out->buffer = malloc(CHUNK);
	if (!out || !out->buffer) {
		*problem = "out of memory";
		free(out);
		return NULL;
	}
	out->size = CHUNK;
	out->fd = path ? open_file(path) : STDOUT_FILENO;
	if (out->fd < 0) {
		*problem = strerror(errno);
		free(out->buffer);
		free(out);
		return NULL;
	}
	return out;
}

// A broken pipe ends the script quietly, as in `... | head`; other failures are reported.
static void write_all(struct output *out, const char *text, size_t size)
{
	while (size && !out->broken) {
		ssize_t n = write(out->fd, text, size);

		if (n >= 0) {
			text += n;
			size -= (size_t)n;
		} else if (errno != EINTR) {
			out->broken = 1;
			if (errno != EPIPE)
				error("can't write the output: %s", strerror(errno));
		} else if (interrupts > 1) {
			out->broken = 1; // whoever should read it does not, and the user is in a hurry
		}
	}
}

void output_flush(struct output *out)
{
	write_all(out, out->buffer, out->used);
	out->used = 0;
}

char *output_reserve(struct output *out, size_t size)
{
	char *larger;

	if (out->size - out->used < size)
		output_flush(out);
	if (out->size < size) {
		larger = realloc(out->buffer, size);
		if (!larger)
			return NULL;
		out->buffer = larger;
		out->size = size;
	}
	return out->buffer + out->used;
}

void output_advance(struct output *out, size_t size)
{
	out->used += size;
}

void output_write(struct output *out, const char *text, size_t size)
{
	char *to = output_reserve(out, size);

	if (!to) {
		write_all(out, text, size);
		return;
	}
	memcpy(to, text, size);
	output_advance(out, size);
}

int output_broken(const struct output *out)
{
	return out->broken;
}

void output_destroy(struct output *out)
{
	if (!out)
		return;
	output_flush(out);
	if (out->fd != STDOUT_FILENO)
		close(out->fd);
	free(out->buffer);
	free(out);
}
