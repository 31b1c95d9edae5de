#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 12 fsyncs, 7 fdatasyncs and a sync.
. "$SRCDIR/common.inc"

disk nullb7 64 irqmode=2 completion_nsec=5000000
file_system
program syncer <<'END'
use IO::Handle;
open my $file, '>', 'at/data' or die;
for (1..12) { syswrite $file, 'x'; $file->sync }
for (1..7) { syswrite $file, 'x'; syscall 75, fileno $file } # fdatasync
syscall 162; # sync
END
run 'exec perl program.pl'
path=$(pwd -P)/at/data
set -- $(awk -v path="$path" '$1 == "syncer" && $3 == "fsync" && $7 == path { print $4, $5, $6 }' report)
# Each waits at least for one request.
[ $# = 3 ] && [ "$1" = 12 ] && [ "$2" -ge 60000 ] && [ "$3" -ge 5000 ] && [ "$3" -le "$2" ] || fail "12 fsyncs of 5 ms at least, the report says '$*'"
expect "^syncer +[0-9]+ fdatasync +7 +[0-9]+ +[0-9]+ $path\$" 'fdatasync'
expect '^syncer +[0-9]+ sync +1 +[0-9]+ +[0-9]+ -$' 'sync'
