#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A command that ignores ^C is ended together with its guest by the third one.
. "$(dirname "$0")/guest.inc"

env --default-signal=INT "$STAP_VM" --timeout 90 --run sh -c 'trap "" INT; echo started; exec sleep 1000' > "$scratch/out" &
pid=$!
wait_for 60 grep -q started "$scratch/out"
qemu=$(cat "/proc/$pid/task/$pid/children")
no_signal_pending() { # the first was taken out of the queue: another will not melt into it
    ! [ -e "/proc/$pid" ] || grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$pid/status"
}
for _ in 1 2 3; do
    kill -INT $pid
    [ $_ = 3 ] || wait_for 10 no_signal_pending
done
wait $pid
expect_status 130 $?
gone "${qemu% }" || fail "QEMU is still there"
