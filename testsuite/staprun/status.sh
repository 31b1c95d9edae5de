#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While the script runs, staprun --status and SIGUSR1 tell which probes lost hits and why, what the kernel dropped included.
. "$SRCDIR/guest.inc"

"$STAPRUN" "$MODULE" >out 2>err &
pid=$!
wait_for grep -q started out
sleep 1000 & sleepers=$!
sleep 1000 & sleepers="$sleepers $!"
sleep 1000 & sleepers="$sleepers $!"
skipped='STATUS: Skipped at kernel\.function("hrtimer_nanosleep.*")\.return: too many calls at once (KRETACTIVE): [1-9]'
told() {
  "$STAPRUN" --status "$name" >told 2>&1 && grep -q "^$skipped" told
}
wait_for told
grep -qx "STATUS: $name is running" told || fail "$(cat told)"
kill -USR1 $pid
wait_for grep -q "^$skipped" err
kill $sleepers
kill -INT $pid
wait $pid || fail "status $?"
"$STAPRUN" --status "$name" >told 2>&1 && fail "$(cat told)"
grep -q "^ERROR: no script runs as $name" told || fail "$(cat told)"
