#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A tmpfs, a bind mount, a remount and an option that is not there.
. "$SRCDIR/common.inc"

mkdir here there
run 'mount -t tmpfs known-name here
mount -o remount,size=1M here
mount --bind here there
umount there
umount here
mount -t tmpfs -o no_such_option=1 none here 2>/dev/null || :'
dir=$(pwd -P)
expect "^[0-9:]{8} mount +[0-9]+ 0 +mount +tmpfs +known-name +$dir/here\$" 'the mount'
expect "^[0-9:]{8} mount +[0-9]+ 0 +remount +[a-z-]+ +[^ ]+ +$dir/here\$" 'the remount'
expect "^[0-9:]{8} mount +[0-9]+ 0 +bind +[a-z-]+ +$dir/here +$dir/there\$" 'the bind mount'
expect "^[0-9:]{8} umount +[0-9]+ 0 +unmount +- +- +$dir/there\$" 'the first unmount'
expect "^[0-9:]{8} umount +[0-9]+ 0 +unmount +- +- +$dir/here\$" 'the second unmount'
expect "^[0-9:]{8} mount +[0-9]+ EINVAL +mount +tmpfs +none +$dir/here\$" 'the failure'
