#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A port where nobody listens, and a connection that is closed before its data were read.
. "$SRCDIR/common.inc"

program resetter <<'END'
use IO::Socket::INET;
my $gone = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 9, Proto => 'tcp') and die;
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1, Proto => 'tcp') or die $@;
my $client = IO::Socket::INET->new(LocalAddr => '127.0.0.3', PeerAddr => '127.0.0.1', PeerPort => $listener->sockport, Proto => 'tcp') or die $@;
my $socket = $listener->accept;
syswrite $client, 'never read';
select(undef, undef, undef, 0.05);
print 'ends 127.0.0.1:', $listener->sockport, ' -> 127.0.0.3:', $client->sockport, "\n";
close $socket;
select(undef, undef, undef, 0.05);
END
run 'exec perl program.pl'
ends=$(told ends | sed 's/\./\\./g')
expect '^[0-9:]{8} sent +nobody listens 127\.0\.0\.1:9 -> 127\.0\.0\.1:[0-9]+$' 'the refusal'
expect '^[0-9:]{8} received +from the peer +127\.0\.0\.1:9 -> 127\.0\.0\.1:[0-9]+$' 'the refusal, received'
expect "^[0-9:]{8} sent +given up +$ends\$" 'the connection given up'
expect "^[0-9:]{8} received +from the peer +$ends\$" 'the same, received'
expect '^2 sent$' 'the sum'
expect '^2 received$' 'the other sum'
