#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The mark "multiplied" is passed 7 times with i and 3, "done" once with the sum.
. "$SRCDIR/common.inc"

run 'exec ./caller'
for i in 1 4 7; do
  expect "^caller\([0-9]+\) multiplied .*0x$i .*0x3\$" "number $i"
done
expect '^caller\([0-9]+\) done .*0x54$' 'the sum of 84'
expect '^ +7 multiplied$' 'the count'
expect '^ +1 done$' 'the other count'
