#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A disk that takes 12 ms for each request: what is read from it and synchronised to it is slow, what is cached is not.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=12000000
file_system
dd if=/dev/zero of=at/data bs=4096 count=40 conv=fsync status=none
echo 3 >/proc/sys/vm/drop_caches
program waiter <<'END'
use IO::Handle;
open my $file, '+<', 'at/data' or die;
sysseek $file, 8192, 0;
sysread $file, my $text, 4096;
sysseek $file, 8192, 0;
sysread $file, $text, 4096;
syswrite $file, 'x' x 4096; # a whole page, which need not be read first
$file->sync;
END
run 'exec perl program.pl'
place=$(pwd -P)/at/data
expect "^[0-9:]{8} waiter +[0-9]+ read +[0-9]{5,} +8192 +4096 $place\$" 'the read'
expect "^[0-9:]{8} waiter +[0-9]+ fsync +[0-9]{5,} +0 +0 $place\$" 'the fsync'
[ "$(grep -c "waiter .* $place" report)" = 2 ] || fail 'a read from the cache or a write to it was slow'
awk '/waiter/ && $5 < 10000 { exit 1 }' report || fail 'something is there that was not slow'
