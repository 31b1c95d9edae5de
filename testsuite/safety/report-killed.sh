#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of staprun ends a report and an end probe that run for long, also when staprun waits for them: what is left is an
# idle module that unloads.
. "$SRCDIR/../staprun/guest.inc"

busy() { # the thread of the report, or staprun's end probe, has used the processor for a tenth of a second
  set -- $(cat /proc/[0-9]*/stat 2>/dev/null | sed -n "s/^[0-9]* ($1[^)]*) //p" | awk '{ print $12 + $13 }' | sort -n | tail -n 1)
  [ "${1:-0}" -ge 10 ]
}
idle() { [ "$(cat "/sys/module/$name/refcnt")" = 0 ]; }
start() {
  rm -f out
  env --default-signal=INT "$STAPRUN" "$MODULE" "$@" >out 2>err & # a shell lets what it starts here ignore SIGINT
  pid=$!
  wait_for grep -q started out
}
kill_it() {
  kill -KILL $pid
  wait $pid 2>/dev/null
  wait_for idle
  "$STAPRUN" -d "$name" || fail "the module can't be unloaded"
  echo "$1: ended"
}

start
wait_for busy "$(printf %.10s "$name")"
kill_it "a report"

start
wait_for busy "$(printf %.10s "$name")"
kill -INT $pid
stopping() { cat /proc/$pid/task/*/wchan | grep -q "report_detach\|wait_for_completion"; }
wait_for stopping
kill_it "a report that staprun waits for"

start at_end=1
kill -INT $pid
wait_for busy staprun
kill_it "an end probe"
