#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A workload for memory probes: asks for MEGABYTES of memory and writes to all of it: touch-pages.pl [MEGABYTES]
# The process is named toucher. Prints how many page faults the kernel has counted for it (minor, then major).
use strict;
use warnings;
my $megabytes = shift // 16;

open my $comm, '>', '/proc/self/comm' or die "cannot rename the process: $!\n";
print $comm 'toucher';
close $comm;
sub faults {
    open my $stat, '<', '/proc/self/stat' or die "cannot read /proc/self/stat: $!\n";
    my @fields = split ' ', (<$stat> =~ s/^.*\) //r);
    return @fields[7, 9];
}

my @before = faults();
my $memory = 'x' x ($megabytes << 20);
my @after = faults();
printf "toucher %d took %d minor and %d major faults\n", $$, $after[0] - $before[0], $after[1] - $before[1];
printf "toucher %d touched %d pages\n", $$, length($memory) >> 12;
