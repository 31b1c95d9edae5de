#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A running script tells how it fares: SIGUSR1, also to stap, and staprun --status with the name of -m.
set -u
name=faring_$$ # names are known to the whole machine
named() { sed "s/$name/faring/; s/; running: .*//"; }
wait_for() { # wait_for COMMAND...: until it succeeds, for 20 s at most
  local tries=400
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "waited in vain for: $*"; cat err; exit 1; }
    sleep 0.05
  done
}
"$STAPRUN" --status $name 2>&1 | named
"$STAPRUN" --status 2>&1 | head -n 1
"$STAPRUN" --statistics 2>&1 | head -n 1

"$STAP" --runtime=user -m $name -e 'probe begin { for (i = 0; i < 7; i++) println(i) }' > out 2> err &
pid=$!
wait_for grep -qsx 6 out
told() { "$STAPRUN" --status $name > told && grep -q 'is running' told; }
wait_for told
named < told
"$STAPRUN" --status nothing-such 2>&1 | grep -c 'no script runs as nothing-such; running: .*'"$name"
kill -USR1 $pid
wait_for grep -q '^STATUS: records' err
named < err
: > err

# A second one of the name has its number after it.
"$STAPRUN" $name.so > out2 2> err2 &
second=$!
wait_for grep -qsx 6 out2
"$STAPRUN" --status ${name}_$second | head -n 1 | named

kill -INT $second $pid
wait $second
echo "second: status $?"
wait $pid
echo "first: status $?"
"$STAPRUN" --status $name 2>&1 | named
