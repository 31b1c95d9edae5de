#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that has given up its rights opens a file of root's, signals root's shell and changes the clock.
. "$SRCDIR/common.inc"

program denied <<'END'
print "pid $$\n";
my $parent = getppid;
syscall(117, 99, 99, 99) == 0 or die; # setresuid
for (1..8) { open my $file, '<', '/etc/shadow' and die }
kill 0, $parent and die for 1..3;
my $time = pack 'q2', 0, 0;
syscall(227, 0, $time) == -1 or die for 1..2; # clock_settime
END
run 'perl program.pl; :'
id=$(told pid)
expect "^denied +$id +99 openat +EACCES +8 /etc/shadow\$" 'the file'
expect "^denied +$id +99 kill +EPERM +3 -\$" 'the signal'
expect "^denied +$id +99 clock_settime +EPERM +2 -\$" 'the clock'
