#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 25 reads of 4 KiB and 15 of 64 KiB.
. "$SRCDIR/common.inc"

disk nullb7 64
run "dd if=/dev/$disk of=/dev/null bs=4k count=25 iflag=direct status=none
dd if=/dev/$disk of=/dev/null bs=64k count=15 iflag=direct status=none"
expect "^$disk R by dd: 40 requests, 1060 KiB in all\$" 'the sum'
expect '^ +4 \|@+ +25$' 'the small ones'
expect '^ +64 \|@+ +15$' 'the large ones'
