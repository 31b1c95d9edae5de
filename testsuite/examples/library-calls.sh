#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that calls malloc() and free() 30 times, getenv() 14 times, and usleep() 7 times for 10 ms and once for 20.
. "$SRCDIR/common.inc"

run 'exec ./caller'
expect '^malloc +30 +[0-9]+ ' 'malloc'
expect '^free +30 +[0-9]+ ' 'free'
expect '^getenv +14 +[0-9]+ ' 'getenv'
set -- $(awk '$1 == "usleep" { print $2, $3, $4, $5 }' report)
[ $# = 4 ] && [ "$1" = 8 ] && [ "$2" -ge 90000 ] && [ "$3" -ge 11250 ] && [ "$4" -ge 20000 ] || fail "90 ms in 8 sleeps, the report says '$*'"
