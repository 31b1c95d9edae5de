#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Only the calls of one program are counted after its name was written, from then on.
. "$SRCDIR/common.inc"

name=$(basename "$MODULE" .ko)
program counted <<'END'
getppid for 1..55;
END
run "cd /proc/stap_$name.d
cat report
echo counted >program
cat program
perl '$PWD/program.pl'
cat report
echo >program
cat report"
grep -q '^counted$' workload || fail 'the name was not kept'
awk '/ seconds, all programs$/ { block = "all" NR } / seconds, program counted$/ { block = "one" } block == "one" && $2 == "getppid" { print $1, $3 } block == "one" && NF == 3 && $1 != "counted" { print "other", $1 }' workload >found
[ "$(cat found)" = 'counted 55' ] || fail "55 calls of one program, the file says '$(cat found)'"
[ "$(grep -c ' seconds, all programs$' workload)" = 2 ] || fail 'the other two reports are not about all programs'
