#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that sleeps 200 times is seen to be woken that often, and waits are plausible.
. "$SRCDIR/common.inc"

run "exec perl -e 'open my \$comm, q(>), q(/proc/self/comm) or die; print \$comm q(sleeper); close \$comm; select(undef, undef, undef, 0.002) for 1..200'"
set -- $(awk '$1 == "sleeper" { print $2, $3, $4, $5 }' report)
[ $# = 4 ] && [ "$1" -ge 200 ] && [ "$1" -le 300 ] || fail "200 wake-ups, the report says '$*'"
[ "$4" -ge 0 ] && [ "$4" -le "$2" ] && [ "$2" -le "$3" ] && [ "$3" -lt 10000000 ] || fail "least, average and longest wait are no such: $*"
