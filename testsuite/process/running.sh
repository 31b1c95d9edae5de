# SPDX-License-Identifier: GPL-2.0-or-later
# Each process that runs when a script starts begins once, and none of the kernel's own; with -x only the target does.
. "$SRCDIR/../staprun/guest.inc"
pipes=$(mktemp -d /tmp/pipes.XXXXXX) # the scratch directory may be one of the host's
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/hold"
./events wait < "$pipes/hold" & first=$!
./events wait < "$pipes/hold" & second=$!
exec 3> "$pipes/hold"
for pid in $first $second; do wait_for grep -qx events /proc/$pid/comm; done

touch all one
"$STAPRUN" -o all "$MODULE" 3>&- & script=$!
wait_for grep -q "^any $second " all
./events nothing
wait_for grep -q '^end' all
kill -INT $script
wait $script
for pid in $first $second; do
  [ "$(grep -cx "program $pid events 0" all)" = 1 ] || fail "the program's process $pid: $(grep -c "^program $pid " all) times"
  [ "$(grep -cx "any $pid events" all)" = 1 ] || fail "process $pid: $(grep -c "^any $pid " all) times"
done
[ "$(grep -c '^program' all)" = 3 ] || fail "$(cat all)"
grep -qx "any 1 $(cat /proc/1/comm)" all || fail "process 1 is missing"
grep -q '^any 2 ' all && fail "kthreadd is the kernel's"

"$STAPRUN" -o one -x $second "$MODULE" 3>&- & script=$!
wait_for grep -q "^any $second " one
./events nothing
exec 3>&-
wait $first $second
wait_for grep -q '^end' one
kill -INT $script
wait $script
sed "s/$second/PID/" one
