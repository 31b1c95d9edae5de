#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --timeout ends a guest that does not end by itself.
. "$(dirname "$0")/guest.inc"

"$STAP_VM" --timeout 3 --run sleep 1000 2> "$scratch/err"
expect_status 124 $?
grep -q '^error\[vm-timeout\]' "$scratch/err" || fail "$(cat "$scratch/err")"
