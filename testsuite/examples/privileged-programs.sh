#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A setuid copy of a program, run by user 99: it says itself that it is root in effect. Another copy has no such bit.
. "$SRCDIR/common.inc"

mkdir fs && mount -t tmpfs tmpfs fs && chmod 755 fs
cp /usr/bin/id fs/privileged && cp /usr/bin/id fs/plain && chmod 4755 fs/privileged && chmod 755 fs/plain
run 'setpriv --reuid=99 --regid=99 --clear-groups ./fs/privileged -u
setpriv --reuid=99 --regid=99 --clear-groups ./fs/plain -u'
umount fs
[ "$(tr '\n' ' ' <workload)" = '0 99 ' ] || fail 'the bit is of no effect'
expect '^[0-9:]{8} +99 privileged +[0-9]+ sh +user 0 .*/privileged -u$' 'the setuid program'
! grep -q ' plain ' report || fail 'the other program is there'
