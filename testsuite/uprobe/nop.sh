# SPDX-License-Identifier: GPL-2.0-or-later
# The program's sum is right on every kernel. From 6.18 on the kernel makes calls of breakpoints on such no-ops, which put the
# return address where the number is; there the probe is refused.
. "$SRCDIR/../staprun/guest.inc"
IFS=.- read -r major minor _ <<< "$(uname -r)"
if ((major > 6 || (major == 6 && minor >= 18))); then
  "$STAPRUN" -o hits -c ./nop "$MODULE" > sum 2> log # without its only probe the script may not start
  grep -q '5-byte no-op' log || fail "nobody says why the probe is refused: $(cat log)"
  ! grep -q '[1-9]' hits || fail "there are hits: $(cat hits)"
  [ ! -s sum ] || [ "$(cat sum)" = $((1000 * 999 / 2)) ] || fail "the program's sum is $(cat sum)"
else
  sum=$("$STAPRUN" -o hits -c ./nop "$MODULE" 2> log) || fail "staprun ended with status $?: $(cat log)"
  [ "$sum" = $((1000 * 999 / 2)) ] || fail "the program's sum is $sum"
  [ "$(cat hits)" = 1000 ] || fail "$(cat hits) hits: $(cat log)"
fi
