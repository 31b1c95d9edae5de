#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# ksys_lseek() has three numbers.
. "$SRCDIR/common.inc"

program seeker <<'END'
open my $file, '<', '/etc/passwd' or die;
printf "fd %#x\n", fileno $file;
syscall 8, fileno $file, 0x123, 0 for 1..3; # lseek
syscall 8, 987, 5, 1;
END
run 'exec perl program.pl'
[ "$(grep -Ec "^ +[0-9]+\.[0-9]{6} seeker\([0-9]+\) ksys_lseek\(fd=$(told fd) offset=0x123 whence=0x0\) return=0x123 <[0-9]+ us>\$" report)" = 3 ] || fail 'three calls that succeed'
expect 'seeker\([0-9]+\) ksys_lseek\(fd=0x3db offset=0x5 whence=0x1\) return=0xfffffffffffffff7 <' 'the call that fails'
expect '^([4-9]|1[0-9]) calls$' 'the sum'
