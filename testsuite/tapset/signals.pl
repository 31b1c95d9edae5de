# SPDX-License-Identifier: GPL-2.0-or-later
# Sends signals in each of the ways that there are, so many of each.
use POSIX qw(:signal_h);
my $handled = 0;
$SIG{USR2} = sub { $handled++ };
kill USR2 => $$ for 1 .. 5;
syscall 200, $$, 12 for 1 .. 3; # tkill
syscall 234, $$, $$, 12 for 1 .. 4; # tgkill
my $set = POSIX::SigSet->new(SIGUSR1);
sigprocmask SIG_BLOCK, $set;
kill USR1 => $$;
sigpending(POSIX::SigSet->new);
$SIG{USR1} = 'IGNORE'; # drops the one that waits
my $child = fork // die "$!";
if (!$child) { sleep 1 while 1 }
kill KILL => $child;
waitpid $child, 0;
kill 0 => 1;
print "handled $handled, the child died of $?\n";
