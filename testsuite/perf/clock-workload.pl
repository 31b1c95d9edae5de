# SPDX-License-Identifier: GPL-2.0-or-later
# 0.3 seconds of processor time in its own code, then as much in the kernel.
sub spent { my ($user, $system) = times; return $user + $system }
my $start = spent();
while (spent() - $start < 0.3) { my $i = 0; $i++ for 1 .. 10000 }
open my $zero, '<', '/dev/zero' or die;
$start = spent();
while (spent() - $start < 0.3) { sysread $zero, my $bytes, 1 << 20 }
