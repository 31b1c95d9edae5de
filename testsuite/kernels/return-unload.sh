# SPDX-License-Identifier: GPL-2.0-or-later
# Return probes go while the functions they follow are under way: some return when the module is gone, others enter and
# return just as the probe is taken away. RETURN_ROUNDS (5) times, with a script that saves values at the entry.
. "$SRCDIR/../staprun/guest.inc"
rounds=${RETURN_ROUNDS:-5}

pollers=()
for _ in 1 2 3 4; do
  perl -e 'select(undef, undef, undef, 0.0005) while 1' &
  pollers+=($!)
done
trap 'kill "${pollers[@]}"' EXIT

one_round() {
  "$STAPRUN" "$MODULE" >out 2>err &
  local pid=$! sleepers=()
  wait_for grep -q started out
  for _ in 1 2 3 4 5 6 7 8; do
    sleep 1000 &
    sleepers+=($!)
  done
  wait_for grep -q asleep out
  kill -INT $pid
  wait $pid || fail "staprun ended with status $?: $(cat err)"
  [ ! -e "/sys/module/$name" ] || fail "the module is still there"
  kill "${sleepers[@]}"
  wait "${sleepers[@]}" 2>/dev/null
  tail -n 1 out >>ends
}

for ((i = 0; i < rounds; i++)); do one_round; done
sort ends | uniq -c | sed "s/^ *$rounds /each round: /"
