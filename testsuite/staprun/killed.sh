#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of staprun leaves a module that is idle, holds no memory and unloads cleanly; the next staprun does without help.
. "$SRCDIR/guest.inc"

rm -f out

"$STAPRUN" "$MODULE" >out 2>err &
pid=$!
wait_for grep -q '^-*[0-9]' out
memory() { grep -c "\[$name\]" /proc/vmallocinfo; } # areas that the module has
[ "$(memory)" -gt 2 ] || fail "the running script has $(memory) areas of memory"
kill -KILL $pid
wait $pid 2>/dev/null
idle() { [ "$(cat "/sys/module/$name/refcnt")" = 0 ]; }
wait_for idle
[ "$(memory)" = 0 ] || fail "the module keeps memory: $(grep "\[$name\]" /proc/vmallocinfo)"
"$STAPRUN" -d "$name" || fail "the module can't be unloaded"
[ ! -d "/sys/module/$name" ] || fail "the module is still there"

rm -f out

"$STAPRUN" "$MODULE" >out 2>err &
pid=$!
wait_for grep -q '^-*[0-9]' out
kill -KILL $pid
wait $pid 2>/dev/null
wait_for idle
"$STAPRUN" -T 1 "$MODULE" >out || fail "the second staprun ended with status $?"
grep -q '^-*[0-9]' out || fail "the second staprun printed nothing"
