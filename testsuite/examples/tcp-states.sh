#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server that closes half a second after its client.
. "$SRCDIR/common.inc"

program server <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 4711, ReuseAddr => 1, Listen => 3, Proto => 'tcp') or die $@;
for (1..3) {
  my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 4711, Proto => 'tcp') or die $@;
  my $socket = $listener->accept;
  close $client;
  sysread $socket, $_, 1;
  select(undef, undef, undef, 0.5);
  close $socket;
}
END
run 'exec perl program.pl'
set -- $(awk '$1 == "CLOSE_WAIT" { print $2, $3, $4, $5, $6 }' report)
[ $# = 5 ] && [ "$1 $4 $5" = '3 LAST_ACK 3' ] && [ "$2" -ge 500 ] && [ "$3" -lt 5000 ] || fail "half a second in CLOSE_WAIT, the report says '$*'"
expect '^LAST_ACK +3 +[0-9]+ +[0-9]+ +CLOSE 3 *$' 'LAST_ACK'
expect '^FIN_WAIT1 +3 ' 'FIN_WAIT1'
