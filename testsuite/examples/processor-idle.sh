#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For two seconds nothing is done but sleep: the processors are idle for most of it.
. "$SRCDIR/common.inc"

run 'cat /proc/stat; sleep 2; cat /proc/stat'
# The fifth column is idle time in hundredths of seconds.
kernel=$(awk '$1 == "cpu" { sum += seen ? $5 : -$5; seen = 1 } END { print sum * 10000 }' workload)
found=$(awk 'NR > 1 { sum += $4 } END { print sum }' report)
[ "$kernel" -gt 2000000 ] || fail "the kernel says idle for $kernel us"
within 35 "$found" "$kernel" 'microseconds of idle time'
[ "$(awk 'NR > 1 { print $1 }' report | sort -u | wc -l)" = "$(nproc)" ] || fail 'not all processors are there'
