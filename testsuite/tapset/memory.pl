# SPDX-License-Identifier: GPL-2.0-or-later
# Touches new memory, writes to pages shared since a fork, maps and unmaps, grows the heap; prints the kernel's own count of its page faults.
my $page = 4096;
sub faults { open my $stat, '<', '/proc/self/stat' or die "$!"; return (split ' ', (split /\) /, <$stat>)[1])[7]; }
# mmap(0, 300 pages, read and write, private and anonymous)
my $address = syscall 9, 0, 300 * $page, 3, 0x22, -1, 0;
$0 = 'begin memory';
my $before = faults();
# 300 page faults: pread(2) of zeros into each page
open my $zero, '<', '/dev/zero' or die "$!";
syscall 0, fileno $zero, $address + $_ * $page, 1 for 0 .. 299;
my $faults = faults() - $before;
$0 = 'end memory';
syscall 11, $address, 300 * $page; # munmap
my $small = syscall 9, 0, 12345, 3, 0x22, -1, 0;
syscall 11, $small, 12345;
syscall 12, (syscall 12, 0) + 40 * $page; # brk
print "$faults\n";
