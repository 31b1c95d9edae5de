#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels are listed newest first, and those that scripts/debug-kernel builds last: what takes the first must be given a stock one.
. "$(dirname "$0")/guest.inc"

for release in 0.1.9-stap-kasan-01234567 0.1.2 0.1.10; do
    mkdir -p "$scratch/stap/kernels/$release"/{boot,lib/modules/"$release"/kernel}
    : > "$scratch/stap/kernels/$release/boot/vmlinuz-$release"
done
found=$(XDG_CACHE_HOME=$scratch "$STAP_VM" --list | grep '^0\.1\.' | xargs)
[ "$found" = "0.1.10 0.1.2 0.1.9-stap-kasan-01234567" ] || fail "listed: $found"
