#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The workload lasts longer than the script's one line: in it are 30000 system calls and 25 children more than otherwise.
. "$SRCDIR/common.inc"

program busy <<'END'
for (1..25) { if (!fork) { exit } wait }
getppid for 1..30000;
END
run 'head -n 1 /proc/uptime; cat /proc/stat; perl program.pl; cat /proc/stat; head -n 1 /proc/uptime'
# One line at the end, of a second counted from the script's begin; seconds are those of the workload and a bit.
set -- $(awk 'NR == 2 { print $2, $4, $5, $6 }' report)
[ $# = 4 ] || fail 'there is no line'
seconds=$(sed -n '1p;$p' workload | awk '{ s = $1 - s } END { print s }')
awk -v s="$seconds" -v calls="$2" -v forks="$3" 'BEGIN { exit !(calls * (s + 3) >= 30000 && forks * (s + 3) >= 25) }' || fail "in $seconds seconds 30000 calls and 25 children, the report says $2 and $3 a second"
counted=$(awk '$1 == "ctxt" { sum += seen ? $2 : -$2; seen = 1 } END { print sum }' workload)
awk -v s="$seconds" -v found="$1" -v counted="$counted" 'BEGIN { exit !(found * (s + 3) >= counted * 0.8) }' || fail "the kernel counted $counted switches in $seconds s, the report says $1 a second"
