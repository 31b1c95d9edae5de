#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The parent of a child made by vfork(2) sleeps until the child, which takes 300 ms, has ended.
. "$SRCDIR/common.inc"

run 'exec ./vfork-sleep 300'
expect "^[0-9:]{8} vfork-sleep\($(told pid)\) was blocked for 0m0\.[3-9][0-9]*s\$" 'the parent'
sed -n '/vfork-sleep(/,/^[^ ]/p' report | grep -q ' : .*\(kernel_clone\|vfork\)' || fail 'the stack does not say that it waits for a fork'
tail -n 1 report | grep -Eq '^[0-9]+ uninterruptible sleeps, [0-9]+ us on average, [3-9][0-9]{5} us at most$' || fail 'the last line'
