#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 20 timeouts of select and 30 sleeps, beside selects that an event ends.
. "$SRCDIR/common.inc"

program poller <<'END'
print "pid $$\n";
pipe my $in, my $out or die;
syswrite $out, 'x';
my $set = '';
vec($set, fileno $in, 1) = 1;
select(my $ready = $set, undef, undef, 1) for 1..15;
select(undef, undef, undef, 0.01) for 1..20;
my $time = pack 'q2', 0, 5_000_000;
syscall 35, $time, 0 for 1..30; # nanosleep
END
run 'exec perl program.pl'
id=$(told pid)
set -- $(awk -v id="$id" '$1 == "poller" && $2 == id && $3 ~ /select/ { print $4, $6 }' report)
[ $# = 2 ] && [ "$1" = 20 ] && [ "$2" -ge 10000 ] && [ "$2" -lt 300000 ] || fail "20 timeouts of 10 ms, the report says '$*'"
set -- $(awk -v id="$id" '$1 == "poller" && $2 == id && $3 == "nanosleep" { print $4, $6 }' report)
[ $# = 2 ] && [ "$1" = 30 ] && [ "$2" -ge 5000 ] && [ "$2" -lt 250000 ] || fail "30 sleeps of 5 ms, the report says '$*'"
