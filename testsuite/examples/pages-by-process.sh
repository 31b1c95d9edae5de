#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that writes to 24 MiB of new memory takes 6144 pages and some for itself.
. "$SRCDIR/common.inc"

run "exec perl $examples/memory/touch-pages.pl 24"
set -- $(awk '$1 == "toucher" { print $3, $4, $5 }' report) $(sed -n 's/^toucher .* touched \([0-9]*\) pages/\1/p' workload)
[ $# = 4 ] && [ "$2" -ge "$4" ] && [ "$2" -le $(($4 + 1500)) ] && [ "$3" = $(($2 * 4)) ] && [ "$1" -le "$2" ] || fail "$4 pages were touched, the report says '$*'"
