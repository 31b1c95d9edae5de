#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Most of dd's stacks begin with the system call and go through vfs_read().
. "$SRCDIR/common.inc"

# Two seconds of it, however fast the machine is.
run 'timeout 2 dd if=/dev/urandom of=/dev/null bs=64k status=none || :'
! grep -Evq '^[^;]+(;[^; ]+)+ [0-9]+$' report || fail "not the form of folded stacks: $(grep -Ev '^[^;]+(;[^; ]+)+ [0-9]+$' report | head -n 1)"
set -- $(awk '/^dd;/ { all += $NF } /^dd;.*;do_syscall_64;.*;vfs_read;.*random/ { reads += $NF } END { print all + 0, reads + 0 }' report)
[ "$1" -gt 30 ] && [ "$2" -ge $(($1 / 2)) ] || fail "of $1 looks $2 are below vfs_read()"
