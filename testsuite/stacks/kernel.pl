# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the stacks that kernel.stp printed with those that the kernel recorded at the same hits: kernel.pl OUTPUT TRACE
use strict;
use warnings;
no warnings 'portable'; # addresses have 64 bits

use constant WINDOW_NS => 500_000_000; # how far apart the two may see the same hit, on a machine with much else to do

my ($failures, %recorded, $stack) = (0);
sub fail { print "FAILED: @_\n" if $failures++ < 20 }
sub names { join ' ', map { $_->[1] } @_ }

# "COMMAND-THREAD [CPU] FLAGS SECONDS: <stack trace>" and " => NAME+OFFSET <ADDRESS>" lines. Which event it is of is not told.
open my $trace, '<', $ARGV[1] or die $!;
while (<$trace>) {
  if (/-(\d+)\s+\[(\d+)\]\s+\S+\s+(\d+)\.(\d+): (.*)/) {
    my ($where, $ns, $what) = (($2 + 0) . " $1", $3 * 1_000_000_000 + $4 * 1000, $5);
    $stack = undef;
    push @{$recorded{$where}}, $stack = {ns => $ns, frames => []} if $what =~ /^<stack trace>/;
  } elsif ($stack && /^ => (.*?)(?:\+0x\w+\/0x\w+)?(?: \[.*\])?(?:\/0x\w+)? <([0-9a-f]+)>/) { push @{$stack->{frames}}, [hex $2, $1] }
}

# Does the recorded stack end with ours? The kernel's begins with what traces.
sub is_same {
  my ($ours, $theirs) = @_;
  my $more = @$theirs - @$ours;
  return 0 if $more < 0 || $more > 8;
  for (0 .. $#$ours) { return 0 if $ours->[$_][0] != $theirs->[$more + $_][0] || $ours->[$_][1] ne $theirs->[$more + $_][1] }
  return 1;
}

open my $out, '<', $ARGV[0] or die $!;
my $text = join '', <$out>;
my (%seen, %modules);
while ($text =~ /^hit (\w+) (\d+) (\d+) (\d+)\n(.*?)^end$/msg) {
  my ($name, $where, $ns, $lines) = ($1, "$2 $3", $4, $5);
  my @ours = map { /^ (0x[0-9a-f]+) : (\S+?)(?:\+0x\S+)?( \[.*\])?$/ ? [hex $1, $2, $3 // ''] : [0, $_, ''] } split /\n/, $lines;
  my @near = grep { abs($_->{ns} - $ns) < WINDOW_NS } @{$recorded{$where} // []};
  next unless @near; # the kernel did not record yet, or no longer
  # It does not record what interrupts its recording.
  next if $name =~ /tick|softirq|expire/ && grep { $_->[1] =~ /ftrace|kretprobe|rethook/ } @ours;
  # A hit at a function's entry is itself no return address, and of a return probe's function nothing is on the stack any more.
  shift @ours unless $name eq 'exit' || $name eq 'expire';
  fail("$name: " . names(@ours)) unless grep { is_same(\@ours, $_->{frames}) } @near;
  fail("$name has few frames: " . names(@ours)) if @ours < 2;
  fail("$name has what is no function: " . names(@ours)) if $name =~ /return|followed/ && grep { $_->[1] =~ /trampoline|^0x/ } @ours;
  $seen{$name}++;
  $modules{$_->[2]}++ for @ours;
}
my %wanted = (tick => 20, softirq => 5, packet => 10, fault => 20, module => 10, followed => 10, return => 10, exit => 5, expire => 20);
for (sort keys %wanted) { fail("only " . ($seen{$_} // 0) . " stacks of $_ were compared") if ($seen{$_} // 0) < $wanted{$_} }
fail("no module has a name: @{[keys %modules]}") unless $modules{' [9pnet]'} && $modules{' [9p]'};
exit($failures != 0);
