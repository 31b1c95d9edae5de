#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# multiply(i, 3) for i from 1 to 7.
. "$SRCDIR/common.inc"

run 'exec ./caller'
for i in 1 2 3 4 5 6 7; do
  expect "^caller\([0-9]+\) multiply\(a=0x$i b=0x3\) return=0x$(printf %x $((i * 3))) <[0-9]+ us>\$" "call $i"
done
expect '^7 calls$' 'the count'
