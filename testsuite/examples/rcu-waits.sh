#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# membarrier(2) with MEMBARRIER_CMD_GLOBAL waits for one grace period: nine times.
. "$SRCDIR/common.inc"

program asker <<'END'
syscall(324, 1, 0, 0) == 0 or die $! for 1..9;
print "pid $$\n";
END
run 'exec perl program.pl'
set -- $(awk -v id="$(told pid)" '$1 == "asker" && $2 == id && $3 == "synchronize_rcu" { print $4, $5, $6, $7 }' report)
[ $# = 4 ] && [ "$1" = 9 ] && [ "$2" -ge "$3" ] && [ "$3" -gt 100 ] && [ "${4%%+*}" != "${4}" ] || fail "nine waits, the report says '$*'"
case $4 in *membarrier*) ;; *) fail "the caller is $4" ;; esac
