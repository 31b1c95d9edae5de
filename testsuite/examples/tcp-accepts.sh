#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Five connections are there before the server accepts the first: then four wait, three, two ...
. "$SRCDIR/common.inc"

program server <<'END'
use IO::Socket::INET;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 7, Proto => 'tcp') or die $@;
my @clients = map { IO::Socket::INET->new(LocalAddr => '127.0.0.5', PeerAddr => '127.0.0.1', PeerPort => $listener->sockport, Proto => 'tcp') or die $@ } 1..5;
my @accepted = map { $listener->accept } 1..5;
print "port ", $listener->sockport, "\n";
print "client ", $_->sockport, "\n" for @clients;
END
run 'exec perl program.pl'
port=$(told port)
waiting=4
for client in $(told client); do
  expect "^[0-9:]{8} server +[0-9]+ +$waiting/7 +127\.0\.0\.5:$client -> 127\.0\.0\.1:$port\$" "the client of port $client"
  waiting=$((waiting - 1))
done
[ "$(grep -c ' server ' report)" = 5 ] || fail 'five connections were accepted'
