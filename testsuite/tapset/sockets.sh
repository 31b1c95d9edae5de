# SPDX-License-Identifier: GPL-2.0-or-later
# What the probes count is what the workload did, and what /proc/net/snmp says of it. In a network namespace of its own nobody else talks.
. "$SRCDIR/../staprun/guest.inc"
ip link set lo up
"$STAPRUN" -c "perl $SRCDIR/sockets.pl" -o script "$MODULE" >workload || fail "staprun ended with status $?"
grep -v '^snmp: ' script
probes=$(sed -n 's/^snmp: //p' script)
[ "$(cat workload)" = "$probes" ] || printf 'the kernel: %s\nthe probes: %s\n' "$(cat workload)" "$probes"
