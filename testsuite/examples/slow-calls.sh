#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three calls of select that wait for 30 ms are there, and took at least as long as they waited.
. "$SRCDIR/common.inc"

run "exec perl -e 'select(undef, undef, undef, 0.03) for 1..3'"
awk '$1 == "perl" && $3 ~ /^p?select/ { if ($4 == 3 && $5 >= 90000 && $6 >= 30000 && $6 <= $5) found = 1 } END { exit !found }' report ||
  fail "three calls of 30 ms are not in the report"
