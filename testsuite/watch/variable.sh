# SPDX-License-Identifier: GPL-2.0-or-later
# The programs say how often each of their processes writes the one and accesses the other variable.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" -v -o seen "$MODULE" 2> log & script=$!
wait_for grep -q 'is running' log
for run in 1 2 3; do
  ./counter $((run * 3)) > own || fail "the program ran wrong"
  ./other $((run * 3)) > others || fail "the program ran wrong"
  cut -d ' ' -f 1,2 own >> wanted
  cut -d ' ' -f 1,3 others >> wanted
done
kill -INT $script
wait $script || fail "staprun ended with status $?"
grep -q ': by debug register: 2 probes' log || fail "no mechanism is named: $(cat log)"
[ "$(wc -l < wanted)" = 12 ] || fail "the programs ran wrong: $(cat wanted)"
diff <(sort -n wanted) <(sort -n seen) || fail "the programs' own counts are <"
