# SPDX-License-Identifier: GPL-2.0-or-later
# Compares what strace and a script print of the same system calls: strace-compare.pl TRACE REPORT
#
# Both are brought into one form: numbers in decimal, flags sorted, structures without the names of their members, no comments.
# Then each argument must be the same. What may differ, and why:
#  - what a call writes: strace reads it when the call returns, the script has the address of it (arguments by %written);
#  - a name: strace has that of the table of system calls, the script that of the tapset manual (%names);
#  - an argument whose meaning strace takes from the request: the script has its number (ptrace's, in %written too).
#  - arguments that strace leaves out, since the call's others say that they mean nothing: the script may have more.
# At least one call is compared, and as many by both.
use strict;
use warnings;

my %names = (fstatat => 'newfstatat', pread => 'pread64', pwrite => 'pwrite64', mmap2 => 'mmap', umount => 'umount2', prlimit64 => 'prlimit64', inotify_init => 'inotify_init1',
  pipe2 => 'pipe2', signalfd => 'signalfd4', eventfd => 'eventfd2', epoll_create => 'epoll_create1');
# Names of calls and the numbers of arguments that they write to.
my %written = (read => [1], pread64 => [1], socketpair => [3], getpeername => [1], rt_sigpending => [0], select => [4], ppoll => [2], nanosleep => [1], ptrace => [3]);

sub read_trace {
  my ($file) = @_;
  open(my $in, '<', $file) or die "strace-compare: $file: $!\n";
  my ($inside, @calls) = (0);
  while (<$in>) {
    chomp;
    next unless my ($name, $arguments, $result) = /^(\w+)\((.*)\)\s+= (.*)$/;
    if ($name eq 'umask' && $arguments =~ /^0?(?:123|83)$/) { last if $inside++; next }
    push @calls, {name => $names{$name} // $name, arguments => $arguments, result => $result, line => $_} if $inside;
  }
  return @calls;
}

# What stands between commas that are in no string, brackets or braces.
sub split_list {
  my ($text) = @_;
  my ($depth, @parts) = (0, '');
  while ($text =~ /\G("(?:[^"\\]|\\.)*"(?:\.\.\.)?|[\[{(]|[\]})]|,\s*|[^"\[\]{}(),]+)/g) {
    my $token = $1;
    $depth++ if $token =~ /^[\[{(]$/;
    $depth-- if $token =~ /^[\]})]$/;
    if ($token =~ /^,/ && !$depth) { push @parts, '' } else { $parts[-1] .= $token }
  }
  s/^\s+|\s+$//g for @parts;
  return @parts == 1 && $parts[0] eq '' ? () : @parts;
}

# Other names of the same number.
my %aliases = (AF_LOCAL => 'AF_UNIX', SOL_TCP => 'SOL_TCP', IPPROTO_TCP => 'IPPROTO_TCP', SCHED_OTHER => 'SCHED_NORMAL', FUTEX_WAKE_PRIVATE => 'FUTEX_PRIVATE_FLAG|FUTEX_WAKE', O_ASYNC => 'FASYNC', WSTOPPED => 'WUNTRACED');

sub number {
  my ($text) = @_;
  return $text =~ /^0[xX0-7]/ ? oct $text : $text;
}

sub string {
  my ($text) = @_;
  $text =~ s/\\x([0-9a-f]{2})/sprintf '\\%o', hex $1/ge;
  $text =~ s/\\(\d{1,3})/sprintf '\\%o', oct $1/ge;
  my %letters = (a => 7, b => 8, v => 11, f => 12);
  $text =~ s/\\([abvf])/sprintf '\\%o', $letters{$1}/ge;
  return $text;
}

sub uniform;
sub uniform {
  my ($text) = @_;
  $text =~ s{\s*/\*.*?\*/}{}g;
  return string($text) if $text =~ /^"/;
  return '0' if $text =~ /^(?:NULL|0x0|0+)$/;
  $text =~ s/htons\((\d+)\)/$1/g;
  $text =~ s/inet_addr\("([^"]*)"\)/$1/g;
  $text =~ s/inet_pton\(AF_INET6, "([^"]*)", &\w+\)/$1/g;
  if (my ($not, $inner) = $text =~ /^(~?)\[((?:(?:SIG)?[A-Z]\w*\s*)*)\]$/) {
    return "$not\[" . join(' ', sort map { s/^(?!SIG)/SIG/r } grep { !/^(?:SIG)?RT_?\d+$/ } split ' ', $inner) . ']';
  }
  if (my ($open, $inner) = $text =~ /^([\[{])(.*)[\]}]$/s) {
    my @parts = map { s/^\w+=(?=.)//r } split_list($inner);
    return $1 if $open eq '[' && $inner =~ /^(\d+\.\d+)$/;
    @parts = map { uniform($_) } @parts;
    return $parts[-1] if $inner =~ /^u32=/;
    @parts = @parts[0, 2, 1] if $inner =~ /sa_mask=|sin_port=/;
    @parts = @parts[0, 3, 1] if $inner =~ /sin6_port=/;
    @parts = @parts[0, 2, 4] if $inner =~ /msg_iov=/;
    return "$parts[0].$parts[1]" if $open eq '{' && $inner =~ /^tv_sec=/ && $parts[1] !~ /\D/ && ($parts[1] = sprintf($inner =~ /nsec/ ? '%09d' : '%06d', $parts[1]));
    return '(' . join(',', @parts) . ')';
  }
  return $1 . uniform($2) if $text =~ /^(@)(".*)$/;
  return $text if $text =~ /^\d+\.\d+$/;
  $text =~ s/RLIM64_INFINITY/RLIM_INFINITY/;
  return $1 * $2 if $text =~ /^(\d+)\*(\d+)$/;
  return join '|', sort map { my $part = number($_); $aliases{$part} // $part } grep { !/^0(?:x0)?$/ } split /\|/, $text if $text =~ /\|/;
  return number($text) if $text =~ /^-?(?:0x[0-9a-f]+|\d+)$/;
  return $text;
}

sub argument {
  my $text = uniform($_[0]);
  $text = $aliases{$text} // $text;
  return $text;
}

my ($trace, $report) = @ARGV;
my @theirs = read_trace($trace);
my @ours = read_trace($report);
my ($bad, $compared) = (0, 0);
sub differ { my ($call, $what) = @_; print "$what\n  strace: $call->{line}\n"; $bad++ }

for my $i (0 .. $#theirs) {
  my ($t, $o) = ($theirs[$i], $ours[$i]);
  if (!$o) { differ($t, 'the script has no more'); last }
  if ($t->{name} ne $o->{name}) { differ($t, "another call: $o->{line}"); last }
  my @t = map { argument($_) } split_list($t->{arguments});
  my @o = map { argument($_) } split_list($o->{arguments});
  my %output = map { $_ => 1 } @{$written{$t->{name}} // []};
  $compared++;
  for my $n (0 .. $#t) {
    next if $output{$n};
    differ($t, "argument $n of $o->{line}: $t[$n] and " . ($o[$n] // 'none')) if !defined $o[$n] || $t[$n] ne $o[$n];
  }
  my ($theirs) = $t->{result} =~ /^(-?\w+(?: [A-Z]\w+)?)/;
  my ($ours) = $o->{result} =~ /^(-?\w+(?: \(\w+\))?)/;
  if ($theirs =~ /^-1 (\w+)/) { differ($t, "result: $ours") if $ours !~ /\($1\)/ }
  elsif (number($theirs =~ s/ .*//r) ne number($ours)) { differ($t, "result: $ours") }
}
differ($ours[@theirs], 'the script has more') if @ours > @theirs;
print "$compared calls compared, $bad differences\n";
exit($bad || !$compared ? 1 : 0);
