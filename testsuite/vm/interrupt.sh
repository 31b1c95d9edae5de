#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ^C and TERM reach the command as SIGINT and SIGTERM; the guest ends with it.
. "$(dirname "$0")/guest.inc"

command='trap "echo interrupted" INT; echo started; while :; do sleep 0.1; done'
env --default-signal=INT "$STAP_VM" --timeout 90 --run bash -c "$command" > "$scratch/out" &
pid=$!
wait_for 60 grep -q started "$scratch/out"
qemu=$(cat "/proc/$pid/task/$pid/children")
[ -n "$qemu" ] || fail "QEMU is not stap-vm's child"
kill -INT $pid
wait_for 30 grep -q interrupted "$scratch/out"
kill -TERM $pid
wait $pid
expect_status 143 $?
for child in $qemu; do
    gone "$child" || fail "QEMU ($child) is still there"
done
