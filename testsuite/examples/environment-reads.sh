#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program that asks 4 times for a variable that is not set and 10 times for one that is.
. "$SRCDIR/common.inc"

run 'exec env CALLER_FREES=yes ./caller'
expect '^caller +[0-9]+ +4 CALLER_NOT_SET \(not set\)$' 'the one that is not set'
expect '^caller +[0-9]+ +10 CALLER_FREES=yes$' 'the one that is set'
