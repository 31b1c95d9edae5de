#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest's processors take turns, and run at the same time with --parallel only: which QEMU is told so. No guest is booted.
. "$(dirname "$0")/guest.inc"

mkdir "$scratch/bin"
printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' >"$scratch/bin/stap-vm-host"
cp "$scratch/bin/stap-vm-host" "$scratch/bin/stap-vm-agent"
chmod +x "$scratch"/bin/*
export STAP_VM_BINDIR=$scratch/bin
"$STAP_VM" --run true | grep -qx 'tcg,thread=single' || fail "without --parallel they do not take turns"
"$STAP_VM" --parallel --run true | grep -qx 'tcg,thread=multi' || fail "with --parallel they take turns"
