# SPDX-License-Identifier: GPL-2.0-or-later
# Does known numbers of things that counts.stp counts, and says how many of each.
use strict;
use warnings;
use POSIX ();

my $place = "/nonexistent/counted by stap";
chdir $place for 1 .. 23;
printf "lookups 23, %d bytes\n", 23 * length $place;

my $sum = 0;
for (1 .. 7) {
  my $child = fork // die "fork: $!";
  POSIX::_exit(0) unless $child;
  waitpid $child, 0;
  $sum += $child;
}
printf "children 7, sum %d\n", $sum;

for (1 .. 11) {
  open my $file, "<", "/etc/passwd" or die "open: $!";
}
printf "files 11\n";

my $started = (POSIX::times())[0];
1 while (POSIX::times())[0] - $started < POSIX::sysconf(&POSIX::_SC_CLK_TCK) / 2;
