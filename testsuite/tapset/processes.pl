# SPDX-License-Identifier: GPL-2.0-or-later
# Makes processes, moves between two CPUs, sends itself signals and switches away, each a number of times that it prints.
sub own_switches { # of this process's one thread
  open my $status, '<', '/proc/self/status' or die "$!";
  my $sum = 0;
  /^(?:non)?voluntary_ctxt_switches:\s*(\d+)/ and $sum += $1 while <$status>;
  return $sum;
}

for my $code (1 .. 20) {
  my $child = fork // die "$!";
  exit $code if !$child;
  waitpid $child, 0;
}
$SIG{USR1} = sub { $got++ };
kill USR1 => $$ for 1 .. 7;
print "signals: $got\n";
$0 = 'begin moving'; # sets the name that the script looks for
for my $i (1 .. 10) { # sched_setaffinity
  syscall(203, 0, 8, my $mask = pack 'Q', 1 << $i % 2) >= 0 or die "$!";
}
$0 = 'end moving';
pipe my $from_parent, my $to_child;
pipe my $from_child, my $to_parent;
my $echo = fork // die "$!";
if (!$echo) {
  close $to_child;
  syswrite $to_parent, $_ while sysread $from_parent, $_, 1;
  exit;
}
$0 = 'begin switching';
my $before = own_switches();
for (1 .. 100) {
  syswrite $to_child, 'x';
  sysread $from_child, $_, 1;
}
my $switches = own_switches() - $before;
$0 = 'end switching';
close $to_child;
waitpid $echo, 0;
print "$switches\n";
