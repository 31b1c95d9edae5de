#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each of a known number of opens is reported with its name and what came of it.
. "$SRCDIR/common.inc"

: >"$PWD/named"
run "exec perl -e 'for (1..37) { open my \$f, q(<), q($PWD/named) or die } for (1..5) { open my \$f, q(<), q(/no/such/file) }'"
opened=$(grep -c " perl([0-9]*) \"$PWD/named\" = [0-9]*\$" report || :)
[ "$opened" = 37 ] || fail "37 opens, $opened of them reported"
missing=$(grep -c ' perl([0-9]*) "/no/such/file" = -2 (ENOENT)$' report || :)
[ "$missing" = 5 ] || fail "5 opens that failed, $missing of them reported"
lines=$(grep -c ' us  ' report)
tail -n 1 report | grep -q "^$lines opens, $lines of them slow; [0-9]* us on average, [0-9]* us at most\$" || fail "the last line does not agree"
