#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 50 reads in order from the middle, 20 every 64 KiB, and 30 far from each other.
. "$SRCDIR/common.inc"

disk nullb7 64
run "dd if=/dev/$disk of=/dev/null bs=4k skip=5000 count=50 iflag=direct status=none
for i in \$(seq 20); do dd if=/dev/$disk of=/dev/null bs=4k skip=\$((5050 + i * 16)) count=1 iflag=direct status=none; done
for i in \$(seq 30); do dd if=/dev/$disk of=/dev/null bs=4k skip=\$(((i * 7 % 16) * 1000)) count=1 iflag=direct status=none; done"
# The first one of the run in order comes from elsewhere.
expect "^$disk +49 +49% +20 +20% +31 +31% +400\$" 'the pattern'
