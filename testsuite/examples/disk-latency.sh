#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 60 reads from a disk that takes 10 ms for each.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=10000000
run "exec dd if=/dev/$disk of=/dev/null bs=4096 count=60 iflag=direct status=none"
set -- $(sed -n "s/^$disk R: \([0-9]*\) requests, \([0-9]*\) us on average, \([0-9]*\) us at most/\1 \2 \3/p" report)
[ $# = 3 ] && [ "$1" = 60 ] && [ "$2" -ge 10000 ] && [ "$2" -lt 100000 ] && [ "$3" -ge "$2" ] || fail "60 reads of 10 ms, the report says '$*'"
found=$(awk '$1 == 8192 || $1 == 16384 { sum += $NF } END { print sum }' report)
[ "$found" -ge 57 ] && [ "$found" -le 60 ] || fail "$found of 60 reads are where 10 ms and a little more are"
