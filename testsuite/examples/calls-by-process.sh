#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A known number of system calls is counted, by name, for the process asked for only.
. "$SRCDIR/common.inc"

run "exec perl -e 'syscall(110) for 1..5000'"
count=$(awk '$1 == "perl" && $3 == "getppid" { print $4 }' report)
[ "$count" = 5000 ] || fail "5000 calls of getppid, the report says '$count'"
others=$(awk 'NR > 1 { print $2 }' report | sort -u | wc -l)
[ "$others" = 1 ] || fail "$others processes are reported, expected one"
