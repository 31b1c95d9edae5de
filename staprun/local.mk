# SPDX-License-Identifier: GPL-2.0-or-later
# staprun: loads or injects a compiled script and relays its records. C, small.
# It formats records with the core's own formatter, compiled here for it.

bin_PROGRAMS += bin/staprun
bin_staprun_SOURCES = \
  staprun/children.c \
  staprun/decode.c \
  staprun/dwarf_library.c \
  staprun/hints.c \
  staprun/image.c \
  staprun/input.c \
  staprun/kallsyms.c \
  staprun/kept.c \
  staprun/kept_programs.c \
  staprun/kernel.c \
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
  staprun/spaces.c \
  staprun/status.c \
  staprun/symbols.c \
  staprun/ways.c \
  runtime/core/format.c \
  runtime/core/format_parse.c
bin_staprun_CPPFLAGS = $(place_flags) -I$(top_builddir)/staprun -I$(top_srcdir)/runtime -I$(top_srcdir)/staprun
bin_staprun_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(SAN_CFLAGS) $(LIBDW_CFLAGS) $(LIBELF_CFLAGS) $(AM_CFLAGS)
bin_staprun_LDFLAGS = -pthread
bin_staprun_LDADD = -ldl

# What needs libdw is a library of its own, which is loaded when it is wanted. It is no archive, and automake knows no other libraries.
dwarfdir = $(pkglibdir)
dwarf_PROGRAMS = staprun/staprun-dwarf.so
staprun_staprun_dwarf_so_SOURCES = \
  staprun/dwarf_table.c \
  staprun/kernel_source.c \
  staprun/source.c \
  staprun/space.c \
  staprun/unwind_rules.c \
  staprun/user_file.c
staprun_staprun_dwarf_so_CPPFLAGS = $(bin_staprun_CPPFLAGS)
staprun_staprun_dwarf_so_CFLAGS = $(bin_staprun_CFLAGS) -fPIC -fvisibility=hidden
staprun_staprun_dwarf_so_LDFLAGS = -shared
staprun_staprun_dwarf_so_LDADD = $(LIBDW_LIBS) $(LIBELF_LIBS) -ldl

staprun/places.h: Makefile
	$(AM_V_GEN)$(MKDIR_P) staprun && printf '#define %s "%s"\n' PKGLIBDIR '$(pkglibdir)' ABS_TOP_BUILDDIR '$(abs_top_builddir)' >$@.tmp && mv $@.tmp $@
$(bin_staprun_OBJECTS): | staprun/places.h
CLEANFILES += staprun/places.h
EXTRA_DIST += staprun
