#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The error that ends a script has room in buffers that a flood has filled, though nobody reads them.
. "$SRCDIR/guest.inc"

rm -f out
"$STAPRUN" -s 1 "$MODULE" >out 2>err &
pid=$!
wait_for grep -q started out
kill -STOP $pid
dd if=/dev/zero of=/dev/null bs=1 count=40000 2>/dev/null
kill -CONT $pid
wait $pid
[ $? = 1 ] || fail "the status is not 1"
grep -q '^ERROR: the reason' err || fail "no reason: $(cat err)"
grep -q '^  #0 probe kernel.function("vfs_read' err || fail "no trace: $(cat err)"
grep -q '^WARNING: lost' err || fail "nothing was lost: $(cat err)"
