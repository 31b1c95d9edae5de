#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The sysctl kernel.panic is this variable.
. "$SRCDIR/common.inc"

value=$(cat /proc/sys/kernel/panic)
run "exec perl -e '\$0 = q(tuner); for my \$v (5, 6, 7, $value) { open my \$f, q(>), q(/proc/sys/kernel/panic) or die; print \$f \$v }'"
[ "$(grep -c '^[0-9:]* tuner([0-9]*) at ' report)" = 4 ] || fail 'four writes'
grep -q ' : proc_sys_\(call_handler\|write\)+' report || fail 'the stack does not go through the sysctl'
expect '^4 writes of panic_timeout$' 'the sum'
