# SPDX-License-Identifier: GPL-2.0-or-later
# Compares what user.stp printed of each program's stack with what the program itself has told: user.pl OUTPUT TOLD...
use strict;
use warnings;
no warnings 'portable'; # addresses have 64 bits

my $failures = 0;
sub fail { print "FAILED: @_\n"; $failures++ }

open my $in, '<', shift @ARGV or die $!;
my $text = join '', <$in>;
my (%stack, @clocks);
while ($text =~ /^print_ubacktrace (\d+)\n(.*?)^end$/msg) { $stack{$1} = $2 }
while ($text =~ /^clock (\d+)\n(.*?)^end$/msg) { push @clocks, $2 }

# "name" of "name(int)+0x10/0x20 [file]"
sub plain_name { $_[0] =~ /^([\w.]+)(?:\([^+]*\))?\+0x/ ? $1 : '' }

# The lines of a stack: address, name, the whole.
sub frames { map { /^ (0x[0-9a-f]+) : (.*)$/ ? [hex $1, plain_name($2), $2] : [0, '', $_] } split /\n/, $_[0] }

# What each function prints, by its name.
sub parts {
  my (%part, $name);
  for (split /\n/, "print_ubacktrace\n$_[0]") {
    if (/^(print_\w+)$/) { $name = $1 }
    elsif (/^(ubacktrace|ucallers\(.\)|ustack\(\d+\)|usym\w+|umodname(?:\(16\))?|as a value|first line) ?(.*)$/) { $part{$1} = $2 }
    else { $part{$name} .= "$_\n" }
  }
  return %part;
}

# The innermost function that the program has told of is the first or second behind the system call's own.
sub check_stack {
  my ($way, $pid, @told) = @_;
  my %part = parts($stack{$pid} // return fail("$way: there is no stack"));
  my @frames = frames($part{print_ubacktrace});
  my $named = $way ne 'stripped';
  my @callers = map { $_->[0] } @frames;
  my $at = 1; # the frame of the first function told
  fail("$way begins with $frames[0][2]") if $named && $way ne 'static' && $frames[0][1] !~ /getppid/;
  for (my $i = 0; $i < @told; $i++) {
    my ($name, $returns_to) = @{$told[$i]};
    while ($at < @frames && $frames[$at][1] =~ ($name eq 'interrupted' ? qr/^__restore_rt$/ : qr/^(__)?kill$/)) { $at++ }
    if ($name eq 'interrupted') {
      fail(sprintf("%s: the signal came at %#x, not %#x", $way, $frames[$at][0], hex $returns_to))
        if $at >= @frames || $frames[$at][0] != hex $returns_to;
      next;
    }
    last if $way eq 'generated' && $i == 1; # behind the code that no file has nothing need be found
    if ($at + 1 >= @frames) { fail("$way has no frame of $name"); last }
    fail("$way: frame $at is $frames[$at][2], not $name") if $named && $frames[$at][1] ne $name;
    fail(sprintf("%s: %s returns to %#x, not %#x", $way, $name, $frames[$at + 1][0], hex $returns_to))
      if $frames[$at + 1][0] != hex $returns_to;
    $at++;
  }
  my ($signals, $named_so) = (scalar(grep { $_->[0] eq 'interrupted' } @told), scalar(grep { $_->[1] eq '__restore_rt' } @frames));
  fail("$way goes through $signals signal frames, of which $named_so have their name") if $signals != $named_so;
  fail("$way ends with $frames[-1][2]") if $named && $way ne 'generated' && $frames[-1][1] ne '_start';
  fail("$way goes on behind generated code: $frames[-1][2]") if $way eq 'generated' && @frames > 3 && !grep { $_->[1] eq 'generated' } @frames;
  check_forms($way, \%part, \@frames);
}

sub check_forms {
  my ($way, $part, $frames) = @_;
  my @brief = split /\n/, $part->{print_ubacktrace_brief};
  my $want = join ' ', map { $_->[2] =~ s/\/0x\S+ \[.*//r =~ s/ \[.*//r } @$frames;
  fail("$way brief: @brief, not $want") if "@brief" ne $want;
  my @source = split /\n/, $part->{print_ubacktrace_fileline};
  if ($way eq 'plain') {
    fail('no line of leaf') unless grep { /: leaf\+\S+ at \S*chain\.c:\d+ \[\S*chain\]$/ } @source;
    my ($inlined) = grep { $source[$_] =~ /: inlined \(inlined\) at \S*chain\.c:\d+ \[/ } 0 .. $#source;
    fail('no inlined function before the one that has it') unless $inlined && $source[$inlined + 1] =~ /: wide\+\S+ at \S*chain\.c:\d+/;
  }
  my @walk = split ' ', $part->{ubacktrace};
  fail("$way: ubacktrace begins with " . ($walk[0] // 'nothing')) unless @walk && hex $walk[0] == $frames->[0][0];
  fail("$way: ucallers(1) is $part->{'ucallers(1)'}") if $part->{'ucallers(1)'} ne $walk[0];
  fail("$way: ucallers(0) is $part->{'ucallers(0)'}") if $part->{'ucallers(0)'} ne '';
  fail("$way: ustack(0) is $part->{'ustack(0)'}") if $part->{'ustack(0)'} ne $walk[0];
  fail("$way: ustack(1000) is $part->{'ustack(1000)'}") if $part->{'ustack(1000)'} ne '0';
  for my $how ('print_usyms', 'print_ustack') {
    my @lines = split /\n/, $part->{$how};
    fail("$way $how: $lines[0]") if $lines[0] ne " $walk[0] : $frames->[0][2]";
    fail("$way $how has " . @lines . ' lines') if @lines != @walk;
  }
  fail("$way usymdata: $part->{usymdata}") if $part->{usymdata} ne $frames->[0][2];
  fail("$way usymname: $part->{usymname}") if $way ne 'stripped' && $part->{usymdata} !~ /^\Q$part->{usymname}\E\+/;
  fail("$way $_: $part->{$_}") for grep { $part->{$_} ne '0x10' } 'usymfile', 'usymline', 'usymfileline';
  fail("$way umodname: $part->{umodname}") unless $part->{umodname} =~ /^chain|^libc/;
  fail("$way umodname(16): $part->{'umodname(16)'}") if $part->{'umodname(16)'} ne 'no module is known for user address 0x10';
  # The handler's own walk goes where the reader's goes, as far as there is room in a string; behind generated code it may end.
  my @all = map { sprintf '%#x', $_->[0] } @$frames;
  fail("$way: ubacktrace is @walk, not @all")
    if "@walk" ne "@all[0 .. ($#walk < $#all ? $#walk : $#all)]" || ($way ne 'generated' && @walk < (@all < 20 ? @all : 20));
  my $values = $part->{'as a value'};
  fail("$way as a value: $values, not $part->{usymname} $part->{usymdata}")
    if $values ne ($way eq 'stripped' && $values =~ /^0x/ ? "$walk[0] $walk[0]" : "$part->{usymname} $part->{usymdata}");
  fail("$way first line: $part->{'first line'}") if $way ne 'stripped' && $part->{'first line'} ne $part->{usymdata};
}

for my $file (@ARGV) {
  my ($way) = $file =~ /told\.(.*)/;
  open my $told, '<', $file or die $!;
  my @lines = map { chomp; $_ } <$told>;
  my $pid = shift @lines;
  fail("$way did not end") if pop(@lines) ne 'end';
  next if $way eq 'clock';
  check_stack($way, $pid, map { [split] } @lines);
}

my @in_vdso = grep { /^ 0x\S+ : \S+ \[\[vdso\]\]\n/ } @clocks;
fail('no tick came in the kernel\'s own code: ' . scalar(@clocks)) unless @in_vdso;
for (@in_vdso) {
  my @names = map { $_->[1] } frames($_);
  fail("through the kernel's own code: @names") if "@names" !~ /clock_gettime read_clock main __libc_start_call_main/;
}
exit($failures != 0);
