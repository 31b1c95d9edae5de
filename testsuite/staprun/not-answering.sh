#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A script that asks for its end while staprun stands still, or waits for its output's reader, disarms its probes itself; when staprun
# goes on, the end is what it would have been.
. "$SRCDIR/guest.inc"

functions=/sys/kernel/debug/tracing/enabled_functions
[ -e $functions ] || fail "no $functions"

armed() { grep -q . $functions; }

# Reads until no function is probed any more.
disarmed() {
  dd if=/dev/zero of=/dev/null bs=1 count=1000 2>/dev/null
  ! armed
}

stands_still() { ! grep -h '^State:' /proc/$pid/task/*/status | grep -qv stopped; }

pipes=
trap 'kill -KILL $pid 2>/dev/null; rm -rf "$pipes"' EXIT

# run HOW STATUS: the script's output in HOW.out, what staprun says in HOW.err
run() {
  "$STAPRUN" "$MODULE" how="$1" >"$1.out" 2>"$1.err" &
  pid=$!
  wait_for grep -q started "$1.out"
  wait_for armed
  kill -STOP $pid
  wait_for stands_still
  wait_for disarmed
  kill -CONT $pid
  wait $pid
  status=$?
  [ $status = "$2" ] || fail "$1: status $status: $(cat "$1.err")"
}

rm -f ./*.out ./*.err
run exit 0
[ "$(cat exit.out)" = "started
3 hits" ] || fail "exit: $(cat exit.out)"

run error 1
[ "$(sed 's/ near.*//; /^staprun: attached/d' error.err | head -n 1)" = "ERROR: enough" ] || fail "error: $(cat error.err)"
[ "$(cat error.out)" = "started
3 hits" ] || fail "error: $(cat error.out)"

run overload 1
grep -q '^ERROR: probe overhead exceeded threshold: most time in kernel.function("vfs_read' overload.err ||
  fail "overload: $(cat overload.err)"
[ "$(grep -c '^ERROR' overload.err)" = 1 ] || fail "overload: reported twice: $(cat overload.err)"
grep -q '^[1-9][0-9]* hits$' overload.out || fail "overload: $(cat overload.out)"

# Nobody reads the pipe before the probes are gone.
pipes=$(mktemp -d /tmp/not-answering.XXXXXX) # the scratch directory is another machine's and has no pipes
mkfifo "$pipes/pipe"
exec 3<>"$pipes/pipe"
"$STAPRUN" "$MODULE" how=flood >"$pipes/pipe" 2>flood.err &
pid=$!
wait_for armed
dd if=/dev/zero of=/dev/null bs=1 count=6000 2>/dev/null
wait_for disarmed
cat <"$pipes/pipe" >flood.out 3>&- &
reader=$!
exec 3>&-
wait $pid || fail "flood: status $?: $(cat flood.err)"
wait $reader
[ "$(tail -n 1 flood.out)" = "5000 hits" ] || fail "flood: $(tail -n 1 flood.out): $(cat flood.err)"
[ "$(wc -l <flood.out)" = 5002 ] || fail "flood: $(wc -l <flood.out) lines"
