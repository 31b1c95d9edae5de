// SPDX-License-Identifier: GPL-2.0-or-later
// Parses the command line of staprun.
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "staprun.h"

static const char usage[] =
	"Usage: staprun [options] SCRIPT.ko|SCRIPT.so [NAME=VALUE...]\n"
	"Runs a compiled script and relays its output. NAME=VALUE sets a global variable.\n"
	"  -c CMD   run CMD, target() is its pid, and end when it ends\n"
	"  -x PID   target() is PID\n"
	"  -o FILE  write the output to FILE; strftime(3) formats are replaced\n"
	"  -T SEC   end after SEC seconds\n"
	"  -s MB    buffer of each CPU (also -b)\n"
	"  -R       load the module under a name of its own, so that it can be loaded several times at once\n"
	"  -w       no warnings\n"
	"  --symbols WHAT  keep the names of a kernel module, or the path of a program or library, as they are at the start\n"
	"  --ldd    the same of all libraries of these programs and of those that the script's probes are in\n"
	"  -v       say what is done and account for every record\n"
	"  -d NAME  unload the module NAME, which no staprun uses any more\n"
	"  --status NAME  say how the running script NAME fares\n"
	"  -V       print the version\n"
	"  -h       print this\n";

static void fail(const char *format, const char *what)
{
	error(format, what);
	fputs("Try 'staprun -h'.\n", stderr);
	exit(1);
}

static unsigned number(const char *text, const char *option, unsigned max)
{
	char *end;
	unsigned long v;

	errno = 0;
	v = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || v > max || v == 0) {
		error("option %s needs a number from 1 to %u, not '%s'", option, max, text);
		exit(1);
	}
	return (unsigned)v;
}

void parse_options(int argc, char **argv, struct options *o)
{
	static const struct option words[] = {{"status", required_argument, NULL, 's' << 8},
					      {"symbols", required_argument, NULL, 'S' << 8},
					      {"ldd", no_argument, NULL, 'l' << 8},
					      {0}};
	char unknown[3] = "-";
	int c;

	memset(o, 0, sizeof(*o));
	o->symbols = calloc((size_t)argc, sizeof(*o->symbols)); // more than there can be
	if (!o->symbols)
		exit(1);
	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:vc:x:o:T:s:b:wRd:Vh", words, NULL)) != -1) {
		switch (c) {
		case 'v': o->verbose++; break;
		case 'c': o->command = optarg; break;
		case 'x': o->target_pid = number(optarg, "-x", INT_MAX); break;
		case 'o': o->output = optarg; break;
		case 'T': o->timeout_s = number(optarg, "-T", INT_MAX / 1000); break;
		case 's':
		case 'b': o->ring_mb = number(optarg, "-s", 1024); break;
		case 'w': o->no_warnings = 1; break;
		case 'R': o->unique_name = 1; break;
		case 'd': o->delete_module = optarg; break;
		case 's' << 8: o->status_of = optarg; break;
		case 'S' << 8: o->symbols[o->symbols_count++] = optarg; break;
		case 'l' << 8: o->with_libraries = 1; break;
		case 'V': puts("staprun " STAPRUN_VERSION); exit(0);
		case 'h': fputs(usage, stdout); exit(0);
		default:
			unknown[1] = (char)optopt; // of a word: 0 or a number that is no letter
			fail(c == ':' ? "option %s needs a value" : "unknown option %s",
			     optopt > 0 && optopt < 256 ? unknown : argv[optind - 1]);
		}
	}
	if (o->delete_module || o->status_of)
		return;
	if (optind >= argc)
		fail("no %s given", "script");
	o->file = argv[optind++];
	o->settings = (const char **)argv + optind;
	o->setting_count = (unsigned)(argc - optind);
	for (unsigned i = 0; i < o->setting_count; i++)
		if (!strchr(o->settings[i], '='))
			fail("'%s' is not of the form NAME=VALUE", o->settings[i]);
	if (o->command && o->target_pid)
		fail("%s exclude each other", "-c and -x");
}
