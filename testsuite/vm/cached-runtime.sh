#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# stap in the guest takes the runtime that was compiled at the host: compiling it there takes minutes.
. "$(dirname "$0")/guest.inc"

release=${STAP_RELEASE:-$("$STAP_VM" --list | head -n 1)}
"$STAP" --prepare="$release" > "$scratch/prepared" 2>&1 || { tail -n 1 "$scratch/prepared"; exit 77; } # no headers
"$STAP_VM" --release "$release" --run "$STAP" -v -e 'probe begin { println("hello ", 6 * 7) exit() }' \
    > "$scratch/out" 2> "$scratch/err" || fail "exit status $?: $(cat "$scratch/err")"
grep -qx "hello 42" "$scratch/out" || fail "$(cat "$scratch/out" "$scratch/err")"
grep -q '^Pass 4: ' "$scratch/err" || fail "the guest's stap did not compile the script: $(cat "$scratch/err")"
! grep 'Preparing the runtime' "$scratch/err" || fail "the guest's stap compiled the runtime"
