#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The packets of a connection: the handshake, 700 bytes in one packet, and the end from both sides.
. "$SRCDIR/common.inc"

program talker <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 4717, ReuseAddr => 1, Listen => 1, Proto => 'tcp') or die $@;
my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 4717, Proto => 'tcp') or die $@;
my $server = $listener->accept;
print 'client ', $client->sockport, "\n";
syswrite $client, 'x' x 700;
sysread $server, $_, 1000;
close $client;
close $server;
END
run 'exec perl program.pl'
client=127\\.0\\.0\\.1:$(told client)
server=127\\.0\\.0\\.1:4717
for way in in out; do
  expect "^ +[0-9]+\.[0-9]{6} $way +lo +tcp +$client -> $server S 60 bytes\$" "the first packet $way"
  expect "^ +[0-9]+\.[0-9]{6} $way +lo +tcp +$server -> $client SA 60 bytes\$" "the answer $way"
  expect "^ +[0-9]+\.[0-9]{6} $way +lo +tcp +$client -> $server PA 752 bytes\$" "the data $way"
  expect "^ +[0-9]+\.[0-9]{6} $way +lo +tcp +$client -> $server FA 52 bytes\$" "the end $way"
done
! grep -v ':4717 ' report || fail 'packets of other ports are there'
