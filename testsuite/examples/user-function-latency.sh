#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# multiply() is called 7 times and sleeps 10 ms each time.
. "$SRCDIR/common.inc"

run 'exec ./caller'
set -- $(sed -n 's/^caller([0-9]*): \([0-9]*\) calls of multiply, \([0-9]*\) us on average, \([0-9]*\) us at most$/\1 \2 \3/p' report)
[ $# = 3 ] && [ "$1" = 7 ] && [ "$2" -ge 10000 ] && [ "$2" -lt 250000 ] && [ "$3" -ge "$2" ] || fail "7 calls of 10 ms, the report says '$*'"
