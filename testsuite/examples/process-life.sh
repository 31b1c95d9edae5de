#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs started a known number of times, and how processes end, are reported.
. "$SRCDIR/common.inc"

run 'for i in 1 2 3 4 5; do /usr/bin/true; done
sh -c "exit 7" || :
sh -c "kill -9 \$\$" || :'
started=$(grep -c '^exec  *[0-9]* .* uid 0 parent [0-9]*: /usr/bin/true$' report || :)
[ "$started" = 5 ] || fail "/usr/bin/true was started 5 times, the report says $started"
ended=$(grep -c '^exit  *[0-9]* true  *status 0 lived [0-9]*m[0-9.]*s$' report || :)
[ "$ended" = 5 ] || fail "/usr/bin/true ended 5 times, the report says $ended"
grep -q '^exit  *[0-9]* sh  *status 7 lived [0-9]*m[0-9.]*s$' report || fail "exit status 7 is not reported"
grep -q '^exit  *[0-9]* sh  *status 0 signal 9 lived [0-9]*m[0-9.]*s$' report || fail "the end by signal 9 is not reported"
