#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Connections by IPv4 and IPv6 whose ports both sides know, and one that is refused.
. "$SRCDIR/common.inc"

program caller <<'END'
use IO::Socket::IP;
for (['127.0.0.1', '127.0.0.2'], ['::1', '::1']) {
  my ($here, $there) = @$_;
  my $listener = IO::Socket::IP->new(LocalHost => $there, LocalPort => 0, Listen => 3, Proto => 'tcp') or die $@;
  my $socket = IO::Socket::IP->new(LocalHost => $here, PeerHost => $there, PeerPort => $listener->sockport, Proto => 'tcp') or die $@;
  print "connected $here:", $socket->sockport, " -> $there:", $listener->sockport, "\n";
}
my $gone = IO::Socket::IP->new(PeerHost => '127.0.0.1', PeerPort => 9, Proto => 'tcp') and die;
END
run 'exec perl program.pl'
told connected >pairs
[ "$(wc -l <pairs)" = 2 ] || fail 'the workload did not connect twice'
while read -r pair; do
  grep -F " $pair" report | grep -Eq "^[0-9:]{8} caller +[0-9]+ +[0-9]+ established " || fail "$pair is missing"
done <pairs
[ "$(grep -c ' caller .* established ' report)" = 2 ] || fail 'two connections were established'
expect '^[0-9:]{8} caller +[0-9]+ +[0-9]+ ECONNREFUSED +127\.0\.0\.1:[1-9][0-9]+ -> 127\.0\.0\.1:9$' 'the refused one'
