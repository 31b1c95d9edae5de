// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the script's text to standard output or the -o file, through a large buffer. The buffer remembers where each
// record in it ends, so that after a failed write the number of lost records is exact.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "staprun.h"

#define CHUNK   (256u * 1024)
#define RECORDS 8192u // that may be in the buffer at once

struct output {
	int fd;
	int problem; // errno of the first write that failed; nothing is written after it
	size_t used, size;
	char *buffer;
	size_t records, ends[RECORDS]; // the buffer's records, and where each ends
	unsigned long long unwritten;  // records
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

// Returns how many bytes were written: all, or those before the first failure.
static size_t write_all(struct output *out, const char *text, size_t size)
{
	size_t done = 0;

	while (done < size && !out->problem) {
		ssize_t n = write(out->fd, text + done, size - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			out->problem = errno;
		else if (interrupts > 1)
			out->problem = EINTR; // nobody reads the pipe we write to, and the user has pressed ^C twice
	}
	return done;
}

void output_flush(struct output *out)
{
	size_t written = write_all(out, out->buffer, out->used), whole = out->records;

	while (whole && out->ends[whole - 1] > written)
		whole--;
	out->unwritten += out->records - whole;
	out->records = 0;
	out->used = 0;
}

void output_end_record(struct output *out)
{
	if (out->problem) {
		out->unwritten++;
		return;
	}
	out->ends[out->records++] = out->used;
	if (out->records == RECORDS)
		output_flush(out);
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

int output_problem(const struct output *out)
{
	return out->problem;
}

unsigned long long output_unwritten(const struct output *out)
{
	return out->unwritten;
}

void output_close(struct output *out)
{
	output_flush(out);
	// Some file systems report only now that there is no room. Which records are missing is then not known, so they
	// are not counted; only the error is kept.
	if (out->fd != STDOUT_FILENO && close(out->fd) && !out->problem)
		out->problem = errno;
	out->fd = STDOUT_FILENO;
}

void output_destroy(struct output *out)
{
	if (!out)
		return;
	output_close(out);
	free(out->buffer);
	free(out);
}
