#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server with room for 2 that accepts nobody, and 8 clients; the kernel counts what overflows.
. "$SRCDIR/common.inc"

program lazy <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 2, Proto => 'tcp') or die $@;
print "port ", $listener->sockport, "\n";
my @clients;
for (1..8) {
  my $socket = IO::Socket::INET->new(Proto => 'tcp') or die;
  $socket->blocking(0);
  connect $socket, pack_sockaddr_in($listener->sockport, inet_aton('127.0.0.1'));
  push @clients, $socket;
}
select(undef, undef, undef, 0.3);
END
cat >load <<'END'
ip link set lo up
perl program.pl
grep ^TcpExt: /proc/net/netstat
END
run 'exec unshare --net sh ./load'
overflows=$(awk '/^TcpExt: SyncookiesSent/ { for (i = 1; i <= NF; i++) if ($i == "ListenOverflows") field = i; next } /^TcpExt:/ { print $field }' workload)
[ "$overflows" -ge 1 ] || fail 'nothing overflowed'
expect "^ +$(told port) +$overflows +3 +2\$" "$overflows overflows of a queue of 2"
