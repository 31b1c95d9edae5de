#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The loopback device of a name space loses a tenth of the packets; the kernel counts what it sends again (nstat).
. "$SRCDIR/common.inc"

modprobe sch_netem || exit 77
cat >load <<END
ip link set lo up
tc qdisc add dev lo root netem loss 8%
grep ^Tcp: /proc/net/snmp
timeout 40 perl $examples/network/tcp-loopback.pl 3000000 || :
grep ^Tcp: /proc/net/snmp
END
run 'exec unshare --net sh ./load'
# The first line of each pair has the names.
set -- $(awk '/^Tcp: RtoAlgorithm/ { for (i = 1; i <= NF; i++) if ($i == "RetransSegs") field = i; next } /^Tcp:/ { print $field }' workload)
[ $# = 2 ] && [ "$2" -gt "$1" ] || fail "the kernel sent nothing again: $*"
found=$(sed -n 's/^ *\([0-9]*\) in all$/\1/p' report)
# A connection may outlive the second look.
[ "$found" -ge $(($2 - $1)) ] && [ "$found" -le $(($2 - $1 + 3)) ] || fail "the kernel counted $(($2 - $1)), the report says $found"
expect '^[0-9:]{8} [A-Z_0-9]+ +127\.0\.0\.1:[0-9]+ -> 127\.0\.0\.1:[0-9]+$' 'a packet'
[ "$(grep -c '^[0-9:]* [A-Z]' report)" = "$found" ] || fail 'not every packet has a line'
