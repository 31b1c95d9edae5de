#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that calls malloc() and free() 30 times, getenv() 4 times, and usleep() twice for 20 ms.
. "$SRCDIR/common.inc"

run 'exec ./caller'
expect '^malloc +30 +[0-9]+ ' 'malloc'
expect '^free +30 +[0-9]+ ' 'free'
expect '^getenv +4 +[0-9]+ ' 'getenv'
set -- $(awk '$1 == "usleep" { print $2, $3, $4, $5 }' report)
[ $# = 4 ] && [ "$1" = 2 ] && [ "$2" -ge 40000 ] && [ "$3" -ge 20000 ] && [ "$4" -lt 200000 ] || fail "two sleeps of 20 ms, the report says '$*'"
