#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process computes on processor 1 for two seconds, in the program.
. "$SRCDIR/common.inc"

[ "$(nproc)" -ge 2 ] || exit 77
program spinner <<'END'
syscall 203, 0, 8, pack('Q', 2); # sched_setaffinity: processor 1
my $end = time + 3;
my $x = 0;
while (time < $end) { $x += sqrt $_ for 1..10000 }
END
run 'perl program.pl'
set -- $(awk '$1 == 1 && NF > 4 { print $2 + 0, $3 + 0, $4 + 0, gsub(/U/, "", $5) }' report)
[ $# = 4 ] && [ $(($1 + $2 + $3)) = 100 ] && [ "$1" -gt 50 ] && [ "$4" = $(($1 / 2)) ] || fail "processor 1 computed, the report says '$*'"
share=$(awk '$1 == "spinner" { print $3 + 0 }' report)
[ "$share" -gt 50 ] && [ "$share" -le 100 ] || fail "the process has $share % of one processor"
