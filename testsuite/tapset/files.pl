# SPDX-License-Identifier: GPL-2.0-or-later
# Opens, writes and reads a file of the directory a known number of times, synchronously;
# prints the bytes and how the statistics of the disk grew meanwhile.
my ($file, $device) = @ARGV;

sub statistics {
  open my $stat, '<', "/sys/block/$device/stat" or die "$!";
  return split ' ', <$stat>;
}

my @before = statistics();
for my $i (1 .. 5) {
  sysopen my $out, "$file$i", 0101 | 0x101000, 0644 or die "$!"; # O_CREAT, O_WRONLY, O_SYNC
  syswrite $out, 'z' x 8192 for 1 .. 3;
  close $out;
}
open my $drop, '>', '/proc/sys/vm/drop_caches';
syswrite $drop, '3';
close $drop;
for my $i (1 .. 5) {
  open my $in, '<', "$file$i" or die "$!";
  $bytes += sysread $in, $_, 100000;
}
my @after = statistics();
my @grown = map { $after[$_] - $before[$_] } 0 .. 6;
print "$bytes\nreads $grown[0], sectors $grown[2]; writes $grown[4], sectors $grown[6]\n";
