#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A disk with bad sectors from 800 to 815: what reads them fails.
. "$SRCDIR/common.inc"

disk nullb7 64 badblocks=+800-815
run "dd if=/dev/$disk of=/dev/null bs=4k skip=90 count=20 iflag=direct conv=noerror status=none 2>/dev/null || :"
expect "^[0-9:]{8} $disk +R[A-Z]* +800 +8 (I/O|medium|EIO)" 'the first bad block'
expect "^[0-9:]{8} $disk +R[A-Z]* +808 +8 (I/O|medium|EIO)" 'the second bad block'
[ "$(grep -c " $disk " report)" = 2 ] || fail 'two reads failed'
expect '^2 of (20|21|22) requests failed$' 'the sum'
