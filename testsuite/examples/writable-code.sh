#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A mapping of 64 KiB for both, one that gets both, and one that was written to.
. "$SRCDIR/common.inc"

run 'exec ./writable-code'
for what in 'mmap of 64 KiB at 0x0, anonymous' "mprotect of 32 KiB at $(told second)" "mprotect of 16 KiB at $(told third), was writable"; do
  expect "^[0-9:]{8} writable-code\([0-9]+\), uid 0: $what\$" "$what"
done
[ "$(grep -c ' writable-code(' report)" = 3 ] || fail 'more than three'
grep -A 6 'mmap of 64 KiB' report | grep -q ' : make_code+' || fail 'the stack does not show who asked'
