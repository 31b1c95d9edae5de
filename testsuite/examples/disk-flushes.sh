#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process synchronises the disk itself 14 times; the disk counts the flushes too.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=3000000 cache_size=8
program syncer <<'END'
use IO::Handle;
open my $disk, '+<', $ARGV[0] or die;
$disk->sync or die for 1..14;
END
run "cat /sys/block/$disk/stat; perl program.pl /dev/$disk; cat /sys/block/$disk/stat"
# Fields 16 and 17 of the disk's statistics are flushes and their milliseconds.
flushes=$(awk 'NR == 1 { before = $16 } NR == 2 { print $16 - before }' workload)
[ "$flushes" -ge 14 ] || fail "the kernel counted $flushes flushes"
set -- $(awk -v d="$disk" '$1 == "syncer" && $2 == d { print $3, $4, $5 }' report)
[ $# = 3 ] && [ "$1" = 14 ] && [ "$2" -ge 3000 ] && [ "$2" -le "$3" ] && [ "$3" -lt 200000 ] || fail "14 flushes of 3 ms, the report says '$*'"
