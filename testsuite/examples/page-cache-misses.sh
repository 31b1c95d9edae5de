#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of 3 MiB comes into memory once, though it is read twice.
. "$SRCDIR/common.inc"

disk nullb7 64
file_system
dd if=/dev/urandom of=at/known bs=1M count=3 conv=fsync status=none
echo 3 >/proc/sys/vm/drop_caches
run 'dd if=at/known of=/dev/null bs=64k status=none; dd if=at/known of=/dev/null bs=64k status=none; ls -i at/known'
inode=$(sed -n 's/ at.known$//p' workload)
expect "^dd +$disk +$inode +768 +3072 known\$" 'the file'
