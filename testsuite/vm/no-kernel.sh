#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A missing kernel or a missing QEMU is an error that names the packages.
. "$(dirname "$0")/guest.inc"

XDG_CACHE_HOME=$scratch "$STAP_VM" --release 0.0.1-none --run true 2> "$scratch/err"
expect_status 125 $?
grep -q '^error\[vm-no-kernel\]: .*0\.0\.1-none' "$scratch/err" || fail "$(cat "$scratch/err")"
grep -q 'hint: .*linux-image.*Debian.*kernel-core.*Fedora' "$scratch/err" || fail "$(cat "$scratch/err")"

mkdir "$scratch/bin"
for tool in bash realpath dirname; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
PATH=$scratch/bin "$scratch/bin/bash" "$STAP_VM" --run true 2> "$scratch/err"
expect_status 125 $?
grep -q '^error\[vm-no-qemu\]' "$scratch/err" || fail "$(cat "$scratch/err")"
grep -q 'hint: install qemu-system-x86 (Debian) or qemu-system-x86-core (Fedora)' "$scratch/err" || fail "$(cat "$scratch/err")"
