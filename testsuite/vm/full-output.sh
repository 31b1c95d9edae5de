#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Output of the guest's command that can't be written here is an error.
. "$(dirname "$0")/guest.inc"

"$STAP_VM" --timeout 60 --run echo lost > /dev/full 2> "$scratch/err"
expect_status 1 $?
[ "$(cat "$scratch/err")" = "error[vm-output]: the command's output could not be written: No space left on device" ] ||
    fail "$(cat "$scratch/err")"
