#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 200 KiB go through a pipe in portions of 1 KiB.
. "$SRCDIR/common.inc"

run 'dd if=/dev/zero bs=1k count=200 status=none | dd of=/dev/null bs=1k count=200 iflag=fullblock status=none'
set -- $(awk '$2 == "from" && $3 == "dd" { print $1, $5, $6 }' report) $(awk '$2 == "to" && $3 == "dd" { print $1, $5, $6 }' report)
[ $# = 6 ] && [ "$1" = "$4" ] && [ "$2 $3 $5" = '204800 200 204800' ] && [ "$6" -ge 200 ] || fail "204800 bytes in 200 calls, the report says '$*'"
