#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A known number of failures is counted, with the error's name.
. "$SRCDIR/common.inc"

run "exec perl -e 'rmdir q(/no/such/directory) for 1..77'"
count=$(awk '$1 == "perl" && $3 == "rmdir" && $4 == "ENOENT" { print $5 }' report)
[ "$count" = 77 ] || fail "77 calls of rmdir failed, the report says '$count'"
