#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program says how long it was in each of two functions.
. "$SRCDIR/common.inc"

run 'exec ./two-functions 1200 400'
set -- $(sed -n 's/^\([0-9]*\) looks: \([0-9]*\) in the program, \([0-9]*\) in the kernel$/\1 \2 \3/p' report)
[ $# = 3 ] && [ "$1" = $(($2 + $3)) ] && [ "$2" -gt 60 ] || fail "the looks are no such: $*"
long=$(awk '$3 ~ /^long_work\+/ { sum += $1 } END { print sum + 0 }' report)
short=$(awk '$3 ~ /^short_work\+/ { sum += $1 } END { print sum + 0 }' report)
[ "$short" -gt 0 ] || fail 'short_work() is not there'
within 40 "$long" $((short * 3)) 'looks at one function and three times those at the other'
