#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 300 packets of 1000 bytes over a veth pair, one end of which is in another name space; the first ones may be too early.
. "$SRCDIR/common.inc"

modprobe veth || exit 77
trap 'ip netns del traffic 2>/dev/null; ip link del tr0 2>/dev/null || :' EXIT
ip netns add traffic && ip link add tr0 type veth peer name tr1 address 02:00:00:00:00:77 netns traffic && ip addr add 10.77.0.1/24 dev tr0 && ip link set tr0 up &&
  ip netns exec traffic ip addr add 10.77.0.2/24 dev tr1 && ip netns exec traffic ip link set tr1 up &&
  ip neigh add 10.77.0.2 lladdr 02:00:00:00:00:77 dev tr0 || exit 77 # packets that wait for an answer to who has it may be dropped
program sender <<'END'
use IO::Socket::INET;
my $out = IO::Socket::INET->new(PeerAddr => '10.77.0.2', PeerPort => 5000, Proto => 'udp') or die $@;
send $out, 'x' x 1000, 0 for 1..300;
END
statistics='cat /sys/class/net/tr0/statistics/tx_packets /sys/class/net/tr0/statistics/tx_bytes'
run "$statistics; perl program.pl; $statistics"
set -- $(cat workload)
packets=$(($3 - $1)) bytes=$(($4 - $2))
[ $packets -ge 250 ] || fail "the kernel sent $packets packets"
set -- $(awk '$1 == "tr0" { print $5, $6, $7 }' report)
# A packet more or less: both ends look for routers and neighbours by themselves.
[ $# = 3 ] && [ "$1" -ge $packets ] && [ "$1" -le $((packets + 4)) ] && [ "$2" -ge $((bytes / 1024)) ] && [ "$2" -le $((bytes / 1024 + 1)) ] && [ "$3" -ge 950 ] ||
  fail "the kernel sent $packets packets of $bytes bytes, the report says '$*'"
set -- $(awk '$1 == "tr1" { print $2, $3 }' report)
[ $# = 2 ] && [ "$1" -ge 250 ] && [ "$2" -ge $((250 * 1042 / 1024)) ] || fail "$packets packets came, the report says '$*'"
