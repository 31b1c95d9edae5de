#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Builders of the initramfs that run at once agree on one complete file, and leave nothing else.
. "$(dirname "$0")/guest.inc"

release=$("$STAP_VM" --list | head -n 1)
base=/
[ -d "/lib/modules/$release/kernel" ] || base=${XDG_CACHE_HOME:-$HOME/.cache}/stap/kernels/$release/
[ -f "$base/lib/modules/$release/modules.dep" ] || PATH=$PATH:/usr/sbin:/sbin depmod -b "$base" "$release"
pids=()
for i in 1 2 3; do
    PATH=$PATH:/usr/sbin:/sbin "$(dirname "$(realpath "$STAP_VM")")/mkinitramfs" "$(command -v busybox)" "$release" "$base" "$scratch/cache" > "$scratch/path.$i" &
    pids+=($!)
done
for pid in "${pids[@]}"; do
    wait "$pid" || fail "a builder failed"
done
cmp "$scratch/path.1" "$scratch/path.2" && cmp "$scratch/path.1" "$scratch/path.3" || fail "different paths"
file=$(cat "$scratch/path.1")
[ "$(ls "$scratch/cache")" = "$(basename "$file")" ] || fail "more than one file: $(ls "$scratch/cache")"
busybox cpio -t < "$file" 2> /dev/null | grep -qx './modules/list\|modules/list' || fail "no module list in it"
