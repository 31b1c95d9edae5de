#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# vfs_statx() is called by stat(2) 13 times and by lstat(2) and statx(2) otherwise: by two ways, with known counts.
. "$SRCDIR/common.inc"

program asker <<'END'
my $room = "\0" x 512;
my $path = "/etc\0";
syscall 4, $path, $room for 1..13; # stat
syscall 332, -100, $path, 0, 0xfff, $room for 1..8; # statx
END
run 'exec perl program.pl'
awk '/ times by asker$/ { if (line) print line; line = $1; next } { line = line " " $3 } END { print line }' report | sed 's/+0x[^ ]*//g' >stacks
grep -Eq '^13 vfs_statx .*(sys_newstat|sys_stat|vfs_fstatat)' stacks || fail 'stat() is not there 13 times'
grep -Eq '^8 vfs_statx .*sys_statx' stacks || fail 'statx() is not there 8 times'
