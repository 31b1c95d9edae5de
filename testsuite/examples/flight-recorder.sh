#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three processes of one name, of which the second fails after it could not open a file.
. "$SRCDIR/common.inc"

program unsure <<'END'
my $status = shift;
getppid for 1 .. 200;
if ($status) { rmdir '/no/such/place'; getppid; exit $status }
mkdir '/run' for 1..20;
END
run 'perl program.pl 0; perl program.pl 23 || :; perl program.pl 0'
[ "$(grep -c '^[0-9:]* unsure' report)" = 1 ] || fail 'one process failed'
expect '^[0-9:]{8} unsure\([0-9]+\) ends with status 23, signal 0; its last calls:$' 'the end'
expect '^  rmdir = -2 \(ENOENT\)$' 'the call that failed'
[ "$(grep -c '^  ' report)" = 100 ] || fail 'not as many calls as asked for'
! grep -q mkdir report || fail 'a call of the processes that succeeded'
