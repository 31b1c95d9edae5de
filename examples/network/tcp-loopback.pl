#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A workload for TCP probes: one process sends BYTES bytes to another over loopback: tcp-loopback.pl [BYTES]
# The processes are named tcpclient and tcpserver. Prints what each counted.
use strict;
use warnings;
use IO::Socket::INET;
$| = 1;
my $bytes = shift // 300000;

# /proc/self/comm, not $0: all of it, and only it, is what execname() shows.
sub rename_process {
    open my $comm, '>', '/proc/self/comm' or die "cannot rename the process: $!\n";
    print $comm $_[0];
    close $comm;
}

my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1, Proto => 'tcp')
    or die "cannot listen on 127.0.0.1: $@\n";
my $child = fork // die "cannot fork: $!\n";
if (!$child) {
    rename_process('tcpclient');
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $listener->sockport, Proto => 'tcp')
        or die "cannot connect: $@\n";
    my ($sent, $calls) = (0, 0);
    while ($sent < $bytes) {
        my $length = $bytes - $sent < 4000 ? $bytes - $sent : 4000;
        my $n = syswrite($socket, 'x' x $length) // die "cannot send: $!\n";
        $sent += $n;
        $calls++;
    }
    print "tcpclient $$ sent $sent in $calls\n";
    exit 0;
}
rename_process('tcpserver');
my $socket = $listener->accept or die "cannot accept: $!\n";
my ($received, $calls) = (0, 0);
while (my $n = sysread($socket, my $buffer, 65536)) {
    $received += $n;
    $calls++;
}
waitpid $child, 0;
print "tcpserver $$ received $received in $calls\n";
exit($? ? 1 : 0);
