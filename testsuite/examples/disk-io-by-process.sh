#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dd reads 70 blocks of 8 KiB and writes 30 of 16 KiB, past the page cache.
. "$SRCDIR/common.inc"

disk nullb7 64
run "dd if=/dev/$disk of=/dev/null bs=8k count=70 iflag=direct status=none
dd if=/dev/zero of=/dev/$disk bs=16k count=30 oflag=direct status=none"
expect "^dd +[0-9]+ $disk +R +70 +560\$" 'the reads'
expect "^dd +[0-9]+ $disk +W +30 +480\$" 'the writes'
