#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 10 opens, 40 writes, 10 fsyncs and 50 reads of files on ext4.
. "$SRCDIR/common.inc"

disk nullb7 64
file_system
program worker <<'END'
use IO::Handle;
for (1..10) {
  open my $file, '+>', "at/file$_" or die;
  syswrite $file, 'x' x 5000 for 1..4;
  $file->sync;
  sysseek $file, 0, 0;
  sysread $file, my $text, 4000 for 1..5;
}
END
run 'exec perl program.pl'
for line in 'open: 10' 'write: 40' 'fsync: 10' 'read: 50'; do
  expect "^ext4 $line times, [0-9]+ us on average, [0-9]+ us at most\$" "ext4 $line"
done
[ "$(grep -c ' times, ' report)" = 4 ] || fail 'other file systems are there'
# The histogram of the reads has 50.
[ "$(sed -n '/^ext4 read/,/^$/p' report | awk '$1 ~ /^[0-9]+$/ { sum += $NF } END { print sum }')" = 50 ] || fail 'the histogram has not 50 reads'
