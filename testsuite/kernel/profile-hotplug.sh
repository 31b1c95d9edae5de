# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU that goes takes its profile timer with it, and has it again when it comes back.
. "$SRCDIR/../staprun/guest.inc"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo "the guest has no second CPU to be switched off"; exit 77; }
"$STAPRUN" "$MODULE" >out 2>err &
pid=$!
trap 'echo 1 >$online' EXIT
wait_for grep -q both out
echo 0 >$online
wait_for grep -qE "alone|nobody|ticks" out
echo 1 >$online
wait_for grep -q back out
wait $pid || fail "staprun ended with status $?"
cat out
