#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What ends a module's script from outside: ^C, TERM, -T, the command and its failure; end probes run, and the status says what was.
. "$SRCDIR/guest.inc"

for signal in INT TERM; do
  rm -f out
  "$STAPRUN" "$MODULE" >out 2>err &
  pid=$!
  wait_for grep -q started out
  kill -$signal $pid
  wait $pid
  echo "$signal: status $?, $(tail -n 1 out)"
done
"$STAPRUN" -T 1 "$MODULE" >out
echo "-T: status $?, $(tail -n 1 out)"
"$STAPRUN" -c 'sh -c "exit 0"' -o out "$MODULE"
echo "-c: status $?, $(tail -n 1 out)"
rm -f out
"$STAPRUN" -c 'exit 3' "$MODULE" >out 2>&1
echo "-c exit 3: status $?, $(grep -c '^WARNING: the command exited with status 3$' out)"
"$STAPRUN" -x $$ -T 1 "$MODULE" | grep -qx "started $$" || fail "-x does not set target()"
[ ! -d "/sys/module/$name" ] || fail "the module is still there"
