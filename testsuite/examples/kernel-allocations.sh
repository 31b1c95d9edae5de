#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each pipe takes two pieces of memory, which alloc_pipe_info() asks for: 200 stay open, 100 are closed.
. "$SRCDIR/common.inc"

program plumber <<'END'
pipe $in[$_], $out[$_] or die for 1..300;
for (1..100) { close $in[$_]; close $out[$_] }
END
# A child of the process holds the pipes until the script has ended: it waits for its module to go.
cat >>program.pl <<END
if (!fork) { select(undef, undef, undef, 0.05) while -e '/sys/module/$(basename "$MODULE" .ko)'; exit }
END
run 'ulimit -n 1024; exec perl program.pl >workload'
awk '$1 ~ /^alloc_pipe_info\+/ { pieces += $2; held += $4; held_bytes += $5 } END { exit !(pieces >= 600 && pieces <= 640 && held >= 400 && held <= 420 && held_bytes >= 200 * (16 * 40 + 100)) }' report ||
  fail '600 pieces were allocated for pipes, and 400 of them are held'
