#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that waits a second for a pipe and half a second in all for timers.
. "$SRCDIR/common.inc"
. "$SRCDIR/waiter.inc"
# Each stack as one line: name, total, count, functions.
awk '/^[a-z]+: [0-9]+ us, / { if (line) print line; line = $0; next } { line = line " " $3 } END { print line }' report | sed 's/+0x[^ ]*//g' >stacks
set -- $(sed -n 's/^waiter: \([0-9]*\) us, \([0-9]*\) times, .* \(pipe_read\|anon_pipe_read\) .*/\1 \2/p' stacks | head -n 1)
[ $# = 2 ] && [ "$1" -gt 800000 ] && [ "$1" -lt 10000000 ] && [ "$2" = 1 ] || fail "a second's wait for a pipe, the report says '$*'"
set -- $(sed -n 's/^waiter: \([0-9]*\) us, \([0-9]*\) times, .* schedule_hrtimeout_range.*/\1 \2/p' stacks | head -n 1)
[ $# = 2 ] && [ "$1" -gt 500000 ] && [ "$1" -lt 5000000 ] && [ "$2" = 10 ] || fail "ten sleeps of 50 ms, the report says '$*'"
