#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What dd copies is counted to the byte.
. "$SRCDIR/common.inc"

run 'exec dd if=/dev/zero of=/dev/null bs=8192 count=100 status=none'
set -- $(awk '$1 == "write" && $2 == "dd" { print $4, $5 }' report)
[ "$*" = "819200 100" ] || fail "dd wrote 819200 bytes in 100 calls, the report says '$*'"
# The dynamic linker's reads are counted too.
set -- $(awk '$1 == "read" && $2 == "dd" { print $4, $5, $6 <= $7 }' report)
[ $# = 3 ] && [ "$1" -ge 819200 ] && [ "$1" -le 850000 ] && [ "$2" -ge 100 ] && [ "$2" -le 130 ] && [ "$3" = 1 ] ||
  fail "dd read 819200 bytes in 100 calls and a little more, the report says '$*'"
