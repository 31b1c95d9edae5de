#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 12 reads from a disk that takes 20 ms for each.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=20000000
run "exec dd if=/dev/$disk of=/dev/null bs=8192 skip=100 count=12 iflag=direct status=none"
# The first block is number 100: sector 1600.
for i in 0 1 11; do
  expect "^[0-9:]{8} dd +[0-9]+ $disk +R[A-Z]* +$((1600 + i * 16)) +8 +[0-9]+ +[2-9][0-9]{4}\$" "read $i"
done
[ "$(grep -c "^[0-9:]* dd .* $disk " report)" = 12 ] || fail 'not 12 reads'
expect '^12 of (12|13|14|15) requests were slow$' 'the sum'
