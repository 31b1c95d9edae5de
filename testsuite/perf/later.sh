# SPDX-License-Identifier: GPL-2.0-or-later
# The program says by getrusage(2) how many page faults it has had: those of its first moments, in the kernel's exec, are
# not the program's yet, and those of its last ones come behind.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" -v -o seen "$MODULE" 2> log & script=$!
wait_for grep -q 'is running' log
for run in 1 2 3; do ./toucher $((run * 200)) >> own; ./other 50 > /dev/null; done
kill -INT $script
wait $script || fail "staprun ended with status $?"
grep -q ': by perf event per thread: 2 probes' log || fail "no mechanism is named: $(cat log)"
[ "$(wc -l < own)" = 6 ] || fail "the program ran wrong: $(cat own)"
[ "$(wc -l < seen)" = 6 ] || fail "$(wc -l < seen) processes were seen: $(cat seen); of $(cat own)"
while read -r pid faults; do
  read -r _ seen counted <<< "$(grep "^$pid " seen)"
  ((seen >= faults - 90 && seen <= faults + 90)) || fail "process $pid: $seen of $faults"
  ((counted >= faults - 90 && counted <= faults)) || fail "process $pid: $counted were counted, $faults in all"
done < own
