#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program says where its lock is and how often it held it while the other thread wanted it.
. "$SRCDIR/common.inc"

run 'exec ./locker 10 40'
address=$(told lock)
set -- $(awk -v a="$address" '$1 == "locker" && $3 == a { print $4, $5, $7 }' report)
# Ten times for 40 ms; a wait may be interrupted by another one's chance.
[ $# = 3 ] && [ "$1" -ge 8 ] && [ "$1" -le 25 ] && [ "$2" -ge 300000 ] && [ "$2" -le 4000000 ] && [ "$3" -ge 30000 ] || fail "ten waits of 40 ms, the report says '$*'"
grep -A 6 "^locker([0-9]*), thread [0-9]*, waited 0m0\.[0-9]*s for $address:" report | grep -q ' : \(take_lock\|waiter\)+' || fail 'the stack does not show who waited'
