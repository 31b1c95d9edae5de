# SPDX-License-Identifier: GPL-2.0-or-later
# staprun: loads or injects a compiled script and relays its records. C, small.
# It formats records with the core's own formatter, compiled here for it.

# When the first source is there: bin_PROGRAMS instead of EXTRA_PROGRAMS, and the list ends with runtime/core/format.c.
EXTRA_PROGRAMS += bin/staprun
bin_staprun_SOURCES =
bin_staprun_CPPFLAGS = $(place_flags) -I$(top_srcdir)/runtime -I$(top_srcdir)/staprun
bin_staprun_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(SAN_CFLAGS) $(AM_CFLAGS)
bin_staprun_LDFLAGS = -pthread
EXTRA_DIST += staprun
