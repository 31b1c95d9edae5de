# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the stacks that gdb.stp printed with those that gdb saw: gdb.pl OUTPUT GDB-OUTPUT WAITING
use strict;
use warnings;

my $failures = 0;
sub fail { print "FAILED: @_\n"; $failures++ }
sub text { open my $in, '<', $_[0] or die "$_[0]: $!"; local $/; my $all = <$in>; $all =~ s/\r//g; return $all }

my ($ours, $theirs) = map { text($_) } @ARGV[0, 1];
my (%stack, %before, %walk, $compared);

# Of each frame: address and name. "name" of "name(int)+0x10/0x20 [file]".
while ($ours =~ /^(stack|at \w+ of) (\d+)\n(.*?)^end$/msg) {
  my ($what, $thread, $lines) = ($1, $2, $3);
  $lines =~ s/^handler (.*)\n//m or fail("$what $thread: nothing of the handler's own");
  $walk{"$what $thread"} = $1;
  ($what eq 'stack' ? \%stack : \%{$before{$what}})->{$thread} = [map { /^ (0x[0-9a-f]+) : (.*?)(?:\+0x[0-9a-f]+\/0x[0-9a-f]+)? \[[^\[\]]*\]$/ ? [$1, $2] : [$_, ''] } split /\n/, $lines];
}

# A function may have several names, "pause" and "__libc_pause"; gdb leaves out the number of a copy that the compiler has made.
sub plain { $_[0] =~ s/^_+(GI_+|libc_)?//r =~ s/\.\d+$//r }

sub is_same {
  my ($name, $address, $function, $symbol) = @_;
  return 1 if plain($name) eq plain($symbol) || plain($name) eq plain($function);
  return 1 if $name eq 'library_binds' && $symbol eq 'resolve'; # both are names of what finds the function
  return $name eq $address && $symbol eq '';
}

while ($theirs =~ /^stack (\d+) \d+ ([^\n]*)\n(.*?)^end$/msg) {
  my ($thread, $way, $lines) = ($1, $2, $3);
  my $frames = $stack{$thread} or fail("$way has no stack"), next;
  my $at = 0;
  for (split /\n/, $lines) {
    /^(0x[0-9a-f]+) (\w+) (.*?) \| (.*)$/ or fail("$way: gdb says $_"), next;
    my ($address, $kind, $function, $symbol) = ($1, $2, $3, $4);
    next if $kind eq 'inlined' || $kind eq 'jumped';
    my ($our_address, $name) = $at < @$frames ? @{$frames->[$at]} : ('missing', '');
    fail("$way: frame $at is $our_address $name, not $address $symbol ($function)")
      unless $our_address eq $address && is_same($name, $address, $function, $symbol);
    $at++;
    last if $symbol eq '_dl_start_user'; # the dynamic linker's first: gdb goes on where nothing is
  }
  fail("$way goes on with @{$frames->[$at]}") if $at < @$frames;
  fail("$way has $at frames only") if $at < 4;
  $compared++;
}

# Whoever has called is at the same address before the call as in it.
for my $what ('at here of', 'at pause of') {
  my $seen = $before{$what} // {};
  my $callers = $what =~ /here/ ? 2 : 1; # the frames of pause() and here() are not there yet
  fail(keys(%$seen) . " stacks $what") if keys %$seen < 5;
  for my $thread (keys %$seen) {
    my @now = map { "@$_" } @{$seen->{$thread}};
    my @then = map { "@$_" } @{$stack{$thread} // []};
    fail("$what $thread: @now, not @then") if "@now[1 .. $#now]" ne "@then[$callers .. $#then]" || @now < 4;
    # What is in the table has no name; the address stands for it.
    fail("$what $thread begins with $now[0]") if $now[0] !~ ($what =~ /here/ ? qr/ here$/ : qr/^(0x\w+) \1$/);
  }
}
# What the handler itself sees is the same, where .eh_frame says how code is unwound.
my %way = $theirs =~ /^stack (\d+) \d+ ([^\n]*)$/mg;
for my $at (keys %walk) {
  my ($what, $thread) = $at =~ /^(.*) (\d+)$/;
  next if ($way{$thread} // '') =~ /debug-frame/;
  my @printed = map { $_->[0] } @{($what eq 'stack' ? \%stack : $before{$what})->{$thread}};
  my @walked = split ' ', $walk{$at};
  # While it looks for a library's function the linker has its frame in a register that the handler does not follow.
  my $least = $way{$thread} =~ / plt$/ && $what eq 'stack' ? 4 : @printed < 20 ? @printed : 20;
  fail("$what $thread, $way{$thread}: the handler sees @walked, not @printed")
    if "@walked" ne "@printed[0 .. ($#walked < $#printed ? $#walked : $#printed)]" || @walked < $least;
}
open my $waiting, '<', $ARGV[2] or die $!;
my @wanted = <$waiting>;
fail("gdb saw " . ($compared // 0) . " stacks of " . @wanted) if ($compared // 0) != @wanted || !@wanted;
exit($failures != 0);
