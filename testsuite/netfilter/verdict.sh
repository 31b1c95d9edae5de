# SPDX-License-Identifier: GPL-2.0-or-later
# What is dropped does not come.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" -c "sh -c 'ip link set lo up && perl $SRCDIR/packets.pl 30'" "$MODULE" || fail "staprun ended with status $?"
