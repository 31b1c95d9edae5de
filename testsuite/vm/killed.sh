#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SIGKILL of stap-vm leaves neither QEMU nor a file in the temporary directory.
. "$(dirname "$0")/guest.inc"

mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp "$STAP_VM" --timeout 90 --run sh -c 'echo started; exec sleep 1000' > "$scratch/out" 2>&1 &
pid=$!
wait_for 60 grep -q started "$scratch/out"
qemu=$(cat "/proc/$pid/task/$pid/children")
[ -n "$qemu" ] || fail "QEMU is not stap-vm's child"
kill -KILL $pid
wait $pid 2> /dev/null
wait_for 10 gone "${qemu% }"
[ -z "$(ls -A "$scratch/tmp")" ] || fail "left behind: $(ls -A "$scratch/tmp")"
