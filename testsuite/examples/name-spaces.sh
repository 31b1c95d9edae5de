#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A new network and host name's name space, a visit to one, another root, and a failure.
. "$SRCDIR/common.inc"

run 'unshare --net --uts true
nsenter --uts=/proc/self/ns/uts true
chroot / /usr/bin/true
setpriv --reuid=99 --regid=99 --clear-groups unshare --net true 2>/dev/null || :'
expect '^[0-9:]{8} +0 unshare +[0-9]+ 0 +unshare\(CLONE_NEWUTS\|CLONE_NEWNET\)$' 'unshare'
expect '^[0-9:]{8} +0 nsenter +[0-9]+ 0 +setns\([0-9]+.*CLONE_NEWUTS' 'setns'
expect '^[0-9:]{8} +0 chroot +[0-9]+ 0 +chroot\("/"\)$' 'chroot'
expect '^[0-9:]{8} +99 unshare +[0-9]+ EPERM +unshare\(CLONE_NEWNET\)$' 'the failure'
