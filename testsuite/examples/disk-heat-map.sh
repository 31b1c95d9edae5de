#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 64 reads from a disk that takes 4 ms: the columns of 4 ms, and of 8 for the slow ones, have them all.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=4000000
run "exec dd if=/dev/$disk of=/dev/null bs=4096 count=64 iflag=direct status=none"
head -n 1 report | grep -q '^ *TIME  1 us' || fail 'there is no head'
# Without the colours; column n has 2^n us, from character 10 on.
sed 's/\x1b\[[0-9;]*m//g' report | awk 'NR > 1 {
  for (i = 0; i < 24; i++) { cell = substr($0, 11 + 2 * i, 2); gsub(/ /, "", cell); if (cell != "." && cell != "") { sum[i] += 2 ^ cell; cells++ } }
} END { near = sum[12] + sum[13]; exit !(near >= 20 && near <= 64 && sum[0] + sum[1] + sum[2] + sum[16] + sum[20] == 0) }' || fail 'the reads are not where 4 ms are'
grep -q "$(printf '\033')\[4[1-6];30m[3-6] " report || fail 'there are no colours'
