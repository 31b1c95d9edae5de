#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A child writes to 1500 pages that its parent has written.
. "$SRCDIR/common.inc"

program parent <<'END'
my $memory = "\0" x (8 << 20);
my $child = fork // die;
if (!$child) {
  $0 = 'writer';
  vec($memory, $_ * 4096 + 100, 8) = 1 for 0..1499;
  exit;
}
waitpid $child, 0;
print "pid $child\n";
END
# Without huge pages, which are split or copied as one.
[ ! -e /sys/kernel/mm/transparent_hugepage/enabled ] || echo never >/sys/kernel/mm/transparent_hugepage/enabled
run 'exec perl program.pl'
set -- $(awk -v id="$(told pid)" '$1 == "writer" && $2 == id { print $3, $4, $5 }' report)
[ $# = 3 ] && [ "$1" -ge "$2" ] && [ "$2" -ge 1500 ] && [ "$2" -le 1900 ] && [ "$3" = $(($2 * 4)) ] || fail "1500 pages were written, the report says '$*'"
