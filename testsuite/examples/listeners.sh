#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A TCP socket, a UDP socket, one of IPv6, and one that can't be bound.
. "$SRCDIR/common.inc"

program listener <<'END'
use IO::Socket::IP;
my $tcp = IO::Socket::IP->new(LocalHost => '127.0.0.1', LocalPort => 4713, Listen => 17, Proto => 'tcp') or die $@;
my $udp = IO::Socket::IP->new(LocalHost => '127.0.0.1', LocalPort => 4714, Proto => 'udp') or die $@;
my $again = IO::Socket::IP->new(LocalHost => '127.0.0.1', LocalPort => 4714, Proto => 'udp') and die;
my $six = IO::Socket::IP->new(LocalHost => '::1', LocalPort => 4715, Listen => 3, Proto => 'tcp') or die $@;
END
run 'exec perl program.pl'
expect '^[0-9:]{8} +0 listener +[0-9]+ tcp +127\.0\.0\.1:4713, 17 may wait$' 'TCP'
expect '^[0-9:]{8} +0 listener +[0-9]+ udp +127\.0\.0\.1:4714$' 'UDP'
expect '^[0-9:]{8} +0 listener +[0-9]+ tcp +::1:4715, 3 may wait$' 'IPv6'
[ "$(grep -c ' listener ' report)" = 3 ] || fail 'three sockets, and more than that reported'
