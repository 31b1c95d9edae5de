#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process makes 23 directories, removes them, and removes 11 files.
. "$SRCDIR/common.inc"

mkdir fs && mount -t tmpfs tmpfs fs
program maker <<'END'
chdir 'fs' or die;
mkdir "d$_" or die for 1..23;
rmdir "d$_" or die for 1..23;
for (1..11) { open my $file, '>', "f$_" or die }
unlink "f$_" or die for 1..11;
END
run 'exec perl program.pl'
umount fs
expect '^vfs_mkdir +23  maker 23$' 'mkdir'
expect '^vfs_rmdir +23  maker 23$' 'rmdir'
expect '^vfs_unlink +11  maker 11$' 'unlink'
! grep -Evq '^(FUNCTION|vfs_)' report || fail 'other functions are there'
