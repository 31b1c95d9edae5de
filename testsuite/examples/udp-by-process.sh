#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 40 packets of 500 bytes, of which 33 are read.
. "$SRCDIR/common.inc"

program talker <<'END'
use IO::Socket::INET;
my $in = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'udp') or die $@;
my $out = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $in->sockport, Proto => 'udp') or die $@;
send $out, 'x' x 500, 0 for 1..40;
recv $in, my $text, 1000, 0 for 1..33;
print "pid $$\n";
END
run 'exec perl program.pl'
expect "^talker +$(told pid) +40 +20000 +33 +16500\$" 'the process'
