#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 21 children are made, and all of them end.
. "$SRCDIR/common.inc"

program parent <<'END'
for (1..21) { if (!fork) { $0 = 'child'; exit } wait }
END
run 'exec perl program.pl'
expect '^kernel\.trace\("(sched:)?sched_process_fork"\) +[0-9]+ +[0-9]+ .*parent 21' 'fork'
expect '^kernel\.trace\("(sched:)?sched_process_exit"\) +[0-9]+ +[0-9]+ .*child 21' 'exit'
