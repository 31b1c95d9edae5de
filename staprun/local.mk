# SPDX-License-Identifier: GPL-2.0-or-later
# staprun: loads or injects a compiled script and relays its records. C, small.
# It formats records with the core's own formatter, compiled here for it.

bin_PROGRAMS += bin/staprun
bin_staprun_SOURCES = \
  staprun/children.c \
  staprun/decode.c \
  staprun/hints.c \
  staprun/image.c \
  staprun/input.c \
  staprun/kallsyms.c \
  staprun/kernel.c \
  staprun/kernel_source.c \
  staprun/main.c \
  staprun/messages.c \
  staprun/module.c \
  staprun/options.c \
  staprun/output.c \
  staprun/process.c \
  staprun/reader.c \
  staprun/relay.c \
  staprun/render_text.c \
  staprun/run.c \
  staprun/script.c \
  staprun/skipped.c \
  staprun/source.c \
  staprun/space.c \
  staprun/spaces.c \
  staprun/status.c \
  staprun/symbols.c \
  staprun/ways.c \
  runtime/core/format.c \
  runtime/core/format_parse.c
bin_staprun_CPPFLAGS = $(place_flags) -I$(top_srcdir)/runtime -I$(top_srcdir)/staprun
bin_staprun_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(SAN_CFLAGS) $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(AM_CFLAGS)
bin_staprun_LDFLAGS = -pthread
bin_staprun_LDADD = $(LIBDW_LIBS) $(LIBELF_LIBS) -ldl
EXTRA_DIST += staprun
