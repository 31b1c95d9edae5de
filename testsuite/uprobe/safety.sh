# SPDX-License-Identifier: GPL-2.0-or-later
# The program's own result is what it is without probes, whatever the script does: it goes along, comes and goes, or
# loses the program in the middle.
. "$SRCDIR/../staprun/guest.inc"
has_threads() { [ "$(ls /proc/$program/task | wc -l)" = 9 ]; }

rounds=50
expected=$((8 * (rounds * (rounds - 1) / 2 + 34 * rounds) + 301 + 20 + 12 + 220 + 1))
[ "$(./safety $rounds)" = $expected ] || fail "the program itself is wrong"
traced=$("$STAPRUN" -o counts -c "./safety $rounds" "$MODULE" 2> log) || fail "staprun ended with status $?: $(cat log)"
[ "$traced" = $expected ] || fail "with probes the program says $traced instead of $expected"
# 64 calls of the recursion can be followed at once, and 237 are counted as skipped.
cat > wanted <<END
steps $((16 * rounds + 23)) $((16 * rounds + 23)), wrong 0; recursions $((8 * rounds * 31 + 301)) $((8 * rounds * 31 + 64)); jumps $((8 * rounds * 6)) 0; others 3
END
diff wanted counts || fail "counts; $(cat log)"
grep -q '\b237$' log || fail "237 calls were not followed: $(cat log)"

# While it runs, several times.
rounds=1000000
expected=$((8 * (rounds * (rounds - 1) / 2 + 34 * rounds) + 301 + 20 + 12 + 220 + 1))
./safety $rounds > result & program=$!
wait_for has_threads
attached=0
while [ -e /proc/$program/maps ] && ((attached < 6)); do
  : > log
  "$STAPRUN" -v -o "counts.$attached" "$MODULE" 2> log & script=$!
  wait_for grep -q 'is running' log
  kill -INT $script
  wait $script || fail "staprun ended with status $?: $(cat log)"
  attached=$((attached + 1))
  [ ! -s /proc/$program/maps ] || [ "$("$SRCDIR/text-of" $program safety step)" = 'as in the file' ] || fail "a breakpoint was left"
done
wait $program || fail "the program ended with status $?"
[ "$(cat result)" = $expected ] || fail "the program says $(cat result) instead of $expected"
cat counts.* | grep -q 'steps [1-9]' || fail "nothing was seen of $attached rounds"

# Killed in the middle.
: > log
"$STAPRUN" -v -o killed "$MODULE" 2> log & script=$!
wait_for grep -q 'is running' log
for round in 1 2 3; do
  ./safety 10000000 & program=$!
  wait_for has_threads
  kill -KILL $program
  wait $program 2> /dev/null
done
kill -INT $script
wait $script || fail "staprun ended with status $?: $(cat log)"
grep -q 'steps [1-9]' killed || fail "nothing was seen: $(cat killed)"
