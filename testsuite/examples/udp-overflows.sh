#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own count of drops is the last column of /proc/net/udp.
. "$SRCDIR/common.inc"

program sender <<'END'
use IO::Socket::INET;
my $in = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 4716, Proto => 'udp') or die $@;
setsockopt $in, SOL_SOCKET, SO_RCVBUF, 8000;
my $out = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 4716, Proto => 'udp') or die $@;
send $out, 'x' x 1000, 0 for 1..60;
open my $udp, '<', '/proc/net/udp' or die;
print 'drops ', (split)[-1], "\n" for grep { /^ *\d+: \w+:126C / } <$udp>;
END
run 'exec perl program.pl'
drops=$(told drops | head -n 1)
[ "$drops" -gt 20 ] || fail "the kernel dropped $drops packets"
expect "^ +4716 +0 +$drops +16000 +[0-9]{4,5}\$" "$drops packets"
