#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Packets over loopback are received in NET_RX; /proc/softirqs counts them.
. "$SRCDIR/common.inc"

program sender <<'END'
use IO::Socket::INET;
my $in = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'udp') or die $@;
my $out = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $in->sockport, Proto => 'udp') or die $@;
for (1..400) { send $out, 'x', 0; recv $in, $_, 1, 0 }
END
run 'cat /proc/softirqs; perl program.pl; cat /proc/softirqs'
counted=$(awk '$1 == "NET_RX:" { for (i = 2; i <= NF; i++) sum += seen ? $i : -$i; seen = 1 } END { print sum }' workload)
[ "$counted" -ge 400 ] || fail "the kernel counted $counted"
set -- $(awk '$1 == "NET_RX" { sum += $3; if ($4 < $5 || $7 < $6) bad++ } END { print sum, bad + 0 }' report)
within 10 "$1" "$counted" 'NET_RX'
[ "$2" = 0 ] || fail 'times do not fit'
