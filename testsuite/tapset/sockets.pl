# SPDX-License-Identifier: GPL-2.0-or-later
# TCP and UDP over the loopback device, IPv4 and IPv6, with known sizes; prints what the kernel counted meanwhile (/proc/net/snmp).
use Socket qw(:all);

sub snmp { # name of the counter to its value
  open my $file, '<', '/proc/net/snmp' or die "$!";
  my %counters;
  while (my $names = <$file>) {
    my @names = split ' ', $names;
    my @values = split ' ', <$file>;
    $counters{"$names[0]$names[$_]"} = $values[$_] for 1 .. $#names;
  }
  return %counters;
}

# COUNT messages of SIZE bytes by a connection of the address
sub tcp {
  my ($family, $address, $any, $count, $size) = @_;
  my $pack = $family == AF_INET ? \&pack_sockaddr_in : \&pack_sockaddr_in6;
  socket my $listener, $family, SOCK_STREAM, 0 or die "$!";
  bind $listener, $pack->(0, $address) or die "$!";
  listen $listener, 5 or die "$!";
  my ($port) = $family == AF_INET ? unpack_sockaddr_in(getsockname $listener) : unpack_sockaddr_in6(getsockname $listener);
  socket my $client, $family, SOCK_STREAM, 0 or die "$!";
  setsockopt $client, IPPROTO_TCP, 1, 1 or die "$!"; # TCP_NODELAY
  connect $client, $pack->($port, $address) or die "$!";
  accept my $server, $listener or die "$!";
  for (1 .. $count) {
    send $client, 'x' x $size, 0;
    recv $server, $_, $size, MSG_WAITALL;
  }
  close $client;
  close $server;
  return $port;
}

# COUNT messages of SIZE bytes without a connection
sub udp {
  my ($family, $address, $count, $size) = @_;
  my $pack = $family == AF_INET ? \&pack_sockaddr_in : \&pack_sockaddr_in6;
  socket my $receiver, $family, SOCK_DGRAM, 0 or die "$!";
  bind $receiver, $pack->(5300, $address) or die "$!";
  socket my $sender, $family, SOCK_DGRAM, 0 or die "$!";
  for (1 .. $count) {
    send $sender, 'y' x $size, 0, $pack->(5300, $address);
    recv $receiver, $_, 2 * $size, 0;
  }
  connect $sender, $pack->(5300, $address) or die "$!";
  connect $sender, pack 'S x14', AF_UNSPEC; # forget it
}

my %before = snmp();
my $port = tcp(AF_INET, inet_aton('127.0.0.1'), INADDR_ANY, 10, 1000);
tcp(AF_INET6, inet_pton(AF_INET6, '::1'), IN6ADDR_ANY, 5, 700);
udp(AF_INET, inet_aton('127.0.0.1'), 7, 100);
udp(AF_INET6, inet_pton(AF_INET6, '::1'), 4, 60);
socket my $refused, AF_INET, SOCK_STREAM, 0 or die "$!";
connect $refused, pack_sockaddr_in(9, inet_aton('127.0.0.1')) and die; # nobody listens: a reset
my %after = snmp();
print join(' ', map { "$_ " . ($after{$_} - $before{$_}) }
  qw(Tcp:ActiveOpens Tcp:PassiveOpens Tcp:AttemptFails Tcp:EstabResets Tcp:CurrEstab Tcp:InSegs Tcp:OutSegs Tcp:OutRsts Tcp:RetransSegs Ip:InReceives Ip:OutRequests)), "\n";
