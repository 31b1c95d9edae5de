#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 6 connections are refused, a port is in use, and a socket without a peer is asked to send.
. "$SRCDIR/common.inc"

program failing <<'END'
use IO::Socket::INET;
print "pid $$\n";
for (1..6) { IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 9, Proto => 'tcp') and die }
my $first = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 4712, Proto => 'udp') or die;
IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 4712, Proto => 'udp') and die;
send $first, 'x', 0 and die for 1..3;
recv $first, $_, 1, 0x40 and die; # MSG_DONTWAIT: EAGAIN
END
run 'exec perl program.pl'
id=$(told pid)
expect "^failing +$id connect +ECONNREFUSED +6 127\.0\.0\.1:9\$" 'connect'
expect "^failing +$id bind +EADDRINUSE +1 127\.0\.0\.1:4712\$" 'bind'
expect "^failing +$id sendto +EDESTADDRREQ +3 -\$" 'send'
! grep -q EAGAIN report || fail 'EAGAIN is there'
