#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What two processes read and write of their files.
. "$SRCDIR/common.inc"

mkdir fs && mount -t tmpfs tmpfs fs
run 'cd fs
dd if=/dev/zero of=first bs=64k count=40 status=none
dd if=first of=second bs=16k count=100 status=none
rm first second'
umount fs
here=$(pwd -P)/fs
expect "^ +100 +1600 +40 +2560 dd +$here/first\$" 'the first file'
expect "^ +0 +0 +100 +1600 dd +$here/second\$" 'the second file'
[ "$(awk 'NR == 2 { print $6 }' report)" = "$here/first" ] || fail 'the busiest file is not the first'
