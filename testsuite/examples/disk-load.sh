#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Reads one after the other of a disk that takes 5 ms keep it busy; its own statistics say how much.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=5000000
run "cat /sys/block/$disk/stat
dd if=/dev/$disk of=/dev/null bs=16k count=150 iflag=direct status=none
cat /sys/block/$disk/stat; cat /proc/uptime"
# Fields of /sys/block/DEVICE/stat: reads, merges, sectors, ms; writes, merges, sectors, ms; now, ms busy, ms in queue.
set -- $(awk -v d="$disk" '$1 == d { print $2, $3, $4, $5, $6, $8 + 0 }' report) $(awk 'NR == 1 { r = $1; s = $3; b = $10 } NR == 2 { print $1 - r, $3 - s, $10 - b }' workload)
[ $# = 9 ] || fail 'the disk is not there'
[ "$7" = 150 ] && [ "$8" = 4800 ] || fail "the kernel counted $7 reads of $8 sectors"
[ "$1" -gt 20 ] && [ "$1" -le 200 ] && [ "$2" = 0 ] && [ "$4" = 0 ] || fail "150 reads, the report says $1 a second"
within 10 "$3" $(($1 * 16)) 'KiB a second and reads a second of 16 KiB'
[ "$5" -ge 5000 ] && [ "$5" -lt 50000 ] || fail "a read takes 5 ms, the report says $5 us"
# Seconds of the whole: 150 reads / reads a second; of them the disk was busy for the kernel's milliseconds.
within 20 "$6" $(($9 * $1 / 1500)) 'percent busy'
