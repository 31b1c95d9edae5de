#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A probe at an absolute address: that of a system call, which python makes seven times.
. "$(dirname "$0")/guest.inc"

release=${STAP_RELEASE:-$("$STAP_VM" --list | head -n 1)}
"$STAP" --prepare="$release" > "$scratch/prepared" 2>&1 || { tail -n 1 "$scratch/prepared"; exit 77; } # no headers
cat > "$scratch/in-guest" <<'END'
address=0x$(sed -n 's/ T __x64_sys_getppid$//p' /proc/kallsyms)
exec "$STAP" -g -c "python3 -c 'import os; [os.getppid() for i in range(7)]'" \
    -e "global n probe kprobe.statement($address).absolute { if (execname() == \"python3\") n++ } probe end { println(n, \" calls\") }"
END
STAP=$STAP "$STAP_VM" --release "$release" --run env "STAP=$STAP" bash "$scratch/in-guest" > "$scratch/out" 2> "$scratch/err" ||
    fail "exit status $?: $(cat "$scratch/err")"
grep -qx "7 calls" "$scratch/out" || fail "$(cat "$scratch/out" "$scratch/err")"
