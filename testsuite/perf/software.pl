# SPDX-License-Identifier: GPL-2.0-or-later
# Touches 500 pages and sleeps 100 times between two calls of getppid; prints the kernel's counts of faults and switches.
sub counts {
  open my $f, '<', '/proc/self/stat' or die;
  my @stat = split ' ', <$f>;
  open $f, '<', '/proc/self/status' or die;
  my $switches = 0;
  while (<$f>) { $switches += $1 if /ctxt_switches:\s*(\d+)/ }
  return ($stat[9] + $stat[11], $switches);
}
counts();
my @before = counts();
getppid();
my $pages = "\0" x (500 * 4096);
select undef, undef, undef, 0.001 for 1 .. 100;
getppid();
my @after = counts();
printf "%d %d\n", $after[0] - $before[0], $after[1] - $before[1];
