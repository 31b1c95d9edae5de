#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sethostname(2) as root, and after the process has given up its rights.
. "$SRCDIR/common.inc"

program namer <<'END'
print "pid $$\n";
my $name = 'stap-guest';
syscall(170, $name, length $name) == 0 or die for 1..4; # sethostname
syscall(117, 99, 99, 99) == 0 or die; # setresuid
syscall(170, $name, length $name) == -1 or die for 1..6;
my $root = "/\0";
syscall(161, $root) == -1 or die; # chroot
END
run 'exec perl program.pl'
id=$(told pid)
expect "^namer +$id +0 CAP_SYS_ADMIN +4 +0\$" 'the host name as root'
expect "^namer +$id +99 CAP_SYS_ADMIN +6 +6\$" 'the host name as somebody else'
expect "^namer +$id +99 CAP_SYS_CHROOT +1 +1\$" 'chroot'
expect "^namer +$id +0 CAP_SETUID +1 +0\$" 'the change of the user'
