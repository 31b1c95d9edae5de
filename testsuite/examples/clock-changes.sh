#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An hour ahead and back.
. "$SRCDIR/common.inc"

run "exec perl -e '\$0 = q(setter); for my \$by (3600, -3600) { my \$t = time + \$by; my \$time = pack q(q2), \$t, 0; syscall(227, 0, \$time) == 0 or die }'"
[ "$(grep -c ', by setter([0-9]*), uid 0$' report)" = 2 ] || fail 'the clock was set twice'
# The fraction of the second is cut off: an hour less up to a second, and an hour and up to a second more back.
expect '^... ... .. [0-9:]{8} 20[0-9]{2}( [A-Z]+)? -> ... ... .. [0-9:]{8} 20[0-9]{2}( [A-Z]+)?, \+3(599|600)\.[0-9]{6} s, by setter' 'an hour ahead'
expect ', -360[0-2]\.[0-9]{6} s, by setter' 'an hour back'
