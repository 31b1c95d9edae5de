#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three files of known sizes that live for half a second, a directory, and a deletion that fails.
. "$SRCDIR/common.inc"

mkdir fs && mount -t tmpfs tmpfs fs
echo old >fs/before
program remover <<'END'
mkdir 'place' or die;
for (1..3) { open my $file, '>', "place/file$_" or die; print $file 'x' x ($_ * 1000) }
select(undef, undef, undef, 0.5);
unlink 'place', "place/file$_" for 1..3;
unlink 'before';
rmdir 'place' or die;
print "pid $$\n";
END
run 'cd fs; exec perl ../program.pl'
umount fs
for i in 1 2 3; do
  expect "^[0-9:]{8} remover +$(told pid) +$((i * 1000)) +0m0\.[5-9][0-9]*s /place/file$i\$" "file $i"
done
expect "^[0-9:]{8} remover +$(told pid) +4 +- /before\$" 'the old file'
expect "^[0-9:]{8} remover +$(told pid) +[0-9]+ +- /place\$" 'the directory'
[ "$(grep -c remover report)" = 5 ] || fail 'five deletions, and more than that reported'
