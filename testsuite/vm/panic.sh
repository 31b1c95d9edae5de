#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel panic is reported as such, with the end of the kernel's log.
. "$(dirname "$0")/guest.inc"

"$STAP_VM" --timeout 90 --run sh -c 'echo before; echo c > /proc/sysrq-trigger; sleep 1000' > "$scratch/out" 2> "$scratch/err"
expect_status 125 $?
grep -qx before "$scratch/out" || fail "output before the panic is lost"
grep -qx 'error\[vm-kernel-panic\]: guest kernel panicked' "$scratch/err" || fail "no error: $(cat "$scratch/err")"
grep -q '| .*Kernel panic - not syncing: sysrq triggered crash' "$scratch/err" || fail "no log: $(cat "$scratch/err")"
