#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each packet over the loopback device of a name space is delayed by 20 ms, there and back.
. "$SRCDIR/common.inc"

modprobe sch_netem || exit 77
program talker <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1, Proto => 'tcp') or die $@;
if (!fork) {
  my $socket = $listener->accept;
  while (sysread $socket, $_, 100) { syswrite $socket, 'answer' }
  exit;
}
my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $listener->sockport, Proto => 'tcp') or die $@;
for (1..12) { syswrite $socket, 'question'; sysread $socket, $_, 100 }
END
cat >load <<END
ip link set lo up
tc qdisc add dev lo root netem delay 20ms
perl program.pl
END
run 'exec unshare --net sh ./load'
set -- $(sed -n 's/^127\.0\.0\.1: \([0-9]*\) packets, \([0-9]*\) us on average, \([0-9]*\) us at most$/\1 \2 \3/p' report)
[ $# = 3 ] && [ "$1" -ge 24 ] && [ "$2" -ge 39000 ] && [ "$2" -lt 400000 ] && [ "$3" -ge "$2" ] || fail "40 ms there and back, the report says '$*'"
