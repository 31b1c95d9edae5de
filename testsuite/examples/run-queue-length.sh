#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Six processes compute: the processors' averages add up to about six.
. "$SRCDIR/common.inc"

program computing <<'END'
my @children = map { my $id = fork; if (!$id) { my $end = time + 3; 1 while time < $end; exit } $id } 1..6;
waitpid $_, 0 for @children;
END
run 'exec perl program.pl'
sum=$(sed -n 's/^CPU [0-9]*: \([0-9.]*\) tasks on average, .*/\1/p' report | awk '{ sum += $1 } END { print sum * 100 }')
[ "$(grep -c '^CPU ' report)" = "$(nproc)" ] || fail 'not all processors are there'
within 35 "$sum" 600 'hundredths of six tasks'
