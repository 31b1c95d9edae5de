#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# hrtimer_nanosleep() takes what it is asked for: 10 times 20 ms.
. "$SRCDIR/common.inc"

program sleeper <<'END'
my $time = pack 'q2', 0, 20_000_000;
syscall 35, $time, 0 for 1..10; # nanosleep
print "pid $$\n";
END
run 'exec perl program.pl'
set -- $(sed -n 's/^hrtimer_nanosleep: \([0-9]*\) calls, \([0-9]*\) us on average, \([0-9]*\) us at most$/\1 \2 \3/p' report)
[ $# = 3 ] && [ "$1" = 10 ] && [ "$2" -ge 20000 ] && [ "$2" -lt 300000 ] && [ "$3" -ge "$2" ] || fail "ten sleeps of 20 ms, the report says '$*'"
expect "^sleeper +$(told pid) +10 +[2-5][0-9]{5} +[2-9][0-9]{4}\$" 'the process'
