#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two processors hit one script's probes at the same time while others ask for its status: the counts agree, and a kernel that looks for
# data races finds none. Probes are attached before the load begins and detached when it has ended (see stap-vm's --parallel).
. "$SRCDIR/../staprun/guest.inc"
load='for i in 1 2 3; do (for n in $(seq 400); do read -r x </proc/self/stat; : $(: ); done) & done; wait'
"$STAPRUN" -v -c "bash -c '$load'" "$MODULE" >out 2>err &
pid=$!
asked=0
while kill -0 $pid 2>/dev/null; do
  if "$STAPRUN" --status "$name" >status 2>&1; then
    asked=$((asked + 1))
    kill -USR1 $pid 2>/dev/null
  fi
  sleep 0.1
done
wait $pid || fail "status $?: $(cat err)"
[ $asked -gt 0 ] || fail "nobody was told the status: $(cat status)"
grep -q '^staprun: records: .* + 0 lost$' err || fail "$(cat err)"
[ "$(grep -c '^[0-9]* ' out)" -gt 10 ] || fail "hardly anything was printed: $(cat out)"
tail -n 1 out
