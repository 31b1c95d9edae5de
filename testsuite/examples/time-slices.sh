#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that sleeps 20 ms a hundred times is away for that long that often.
. "$SRCDIR/common.inc"

program sleeper <<'END'
select(undef, undef, undef, 0.02) for 1..100;
END
run 'exec perl program.pl'
away=$(sed -n 's/^microseconds off it: \([0-9]*\) times, .*/\1/p' report)
[ -n "$away" ] && [ "$away" -ge 100 ] && [ "$away" -le 140 ] || fail "100 sleeps, the report says '$away'"
# 20 ms and a little more is in the bucket from 16384 on, or with a slow guest in the next one.
long=$(sed -n '/^microseconds off it/,$p' report | awk '$1 == 16384 || $1 == 32768 { sum += $NF } END { print sum }')
[ "$long" -ge 95 ] || fail "100 sleeps of 20 ms, $long of them found"
expect '^microseconds on a processor: [0-9]+ stretches, [0-9]+ on average$' 'the other histogram'
