# SPDX-License-Identifier: GPL-2.0-or-later
# The runtime: an archive for scripts that run in a process, and the sources that stap compiles once per kernel.

# "stap --runtime=user" links a script's shared object with it: gcc -shared script.c libstap_user_host.a
pkglib_LIBRARIES += libstap_user_host.a
libstap_user_host_a_SOURCES = \
  runtime/core/access.c \
  runtime/core/attach.c \
  runtime/core/backtrace.c \
  runtime/core/context.c \
  runtime/core/cpus.c \
  runtime/core/embedded.c \
  runtime/core/enumeration.c \
  runtime/core/event.c \
  runtime/core/float.c \
  runtime/core/float_text.c \
  runtime/core/format.c \
  runtime/core/format_parse.c \
  runtime/core/hist.c \
  runtime/core/hit.c \
  runtime/core/input.c \
  runtime/core/lock.c \
  runtime/core/map.c \
  runtime/core/overload.c \
  runtime/core/print.c \
  runtime/core/random.c \
  runtime/core/regex.c \
  runtime/core/ring.c \
  runtime/core/saved.c \
  runtime/core/session.c \
  runtime/core/shm.c \
  runtime/core/skipped.c \
  runtime/core/sort.c \
  runtime/core/stat.c \
  runtime/core/string.c \
  runtime/core/text.c \
  runtime/core/text_convert.c \
  runtime/core/text_errno.c \
  runtime/core/text_flags.c \
  runtime/core/text_memory.c \
  runtime/core/timing.c \
  runtime/user/attach/input.c \
  runtime/user/attach/timer.c \
  runtime/user/host.c \
  runtime/user/main.c \
  runtime/user/mechanisms.c \
  runtime/user/task.c
libstap_user_host_a_CPPFLAGS = -I$(top_srcdir)/runtime
libstap_user_host_a_CFLAGS = -std=gnu11 -fPIC -pthread $(WARN_CFLAGS) $(SAN_CFLAGS) $(AM_CFLAGS)

# Every file below abi/, core/ and kernel/ is installed; stap compiles them against the kernel's build tree.
data_trees += runtime=runtime
EXTRA_DIST += runtime
