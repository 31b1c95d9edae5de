#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 27 packets to a port where nobody listens: the kernel counts them as NoPorts.
. "$SRCDIR/common.inc"

program sender <<'END'
use IO::Socket::INET;
for (1..27) {
  # A socket that has got an error for its last packet would not send.
  my $out = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 9, Proto => 'udp') or die $@;
  send $out, 'x', 0;
}
END
run 'grep ^Udp: /proc/net/snmp; perl program.pl; grep ^Udp: /proc/net/snmp'
set -- $(awk '/^Udp: InDatagrams/ { for (i = 1; i <= NF; i++) if ($i == "NoPorts") field = i; next } /^Udp:/ { print $field }' workload)
[ $# = 2 ] && [ $(($2 - $1)) = 27 ] || fail "the kernel counted from $1 to $2"
expect '^ +27 __udp4_lib_rcv\+0x[0-9a-f]+/0x[0-9a-f]+ +0x0800 +([A-Z_]*NO_SOCKET|-)$' '27 packets'
