# SPDX-License-Identifier: GPL-2.0-or-later
# Sends so many UDP packets of 100 bytes to itself by the loopback device; prints how many come.
use IO::Socket::INET;
my $count = shift;
my $receiver = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1', Blocking => 0) or die "$!";
my $sender = IO::Socket::INET->new(Proto => 'udp', PeerAddr => '127.0.0.1', PeerPort => $receiver->sockport) or die "$!";
my ($came, $packet) = 0;
$sender->send('x' x 100) for 1 .. $count; # the loopback device delivers before send() returns
$came++ while defined $receiver->recv($packet, 200);
print "$came came\n";
