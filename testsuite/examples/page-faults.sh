#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The faults counted for a process are those that the kernel counts for it.
. "$SRCDIR/common.inc"

run "exec perl $examples/memory/touch-pages.pl 16"
kernel=$(sed -n 's/^toucher [0-9]* took \([0-9]*\) minor.*/\1/p' workload)
process=$(sed -n 's/^toucher \([0-9]*\) took.*/\1/p' workload)
set -- $(awk -v id="$process" '$1 == "toucher" && $2 == id { print $3, $6 <= $7 }' report)
# The process takes a few more before and after the time that it looks at.
[ $# = 2 ] && [ "$1" -ge "$kernel" ] && [ "$1" -le $((kernel + 400)) ] && [ "$2" = 1 ] ||
  fail "the kernel counted $kernel faults, the report says '$*'"
