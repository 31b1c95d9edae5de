#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of stap --vm: the script in the guest ends as by SIGTERM, and the guest with it.
. "$(dirname "$0")/guest.inc"

"$STAP" --vm -r "$STAP_RELEASE" -e 'probe begin { println("started") } probe end { println("ended") }' \
    > "$scratch/out" 2> "$scratch/err" &
pid=$!
wait_for 100 grep -q started "$scratch/out"
relay=$(cat "/proc/$pid/task/$pid/children")
qemu=$(cat "/proc/${relay% }/task/${relay% }/children")
[ -n "$qemu" ] || fail "QEMU is not stap-vm's child"
kill -KILL $pid
wait $pid 2> /dev/null
wait_for 30 gone "${relay% }"
wait_for 10 gone "${qemu% }"
[ "$(cat "$scratch/out")" = $'started\nended' ] || fail "$(cat "$scratch/out" "$scratch/err")"
