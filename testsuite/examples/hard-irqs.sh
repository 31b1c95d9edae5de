#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files read over the guest's 9p file system make interrupts; /proc/interrupts counts them.
. "$SRCDIR/common.inc"

run 'cat /proc/interrupts; echo ====; find /usr/share/doc -maxdepth 2 -name "c*" >/dev/null; cat /proc/interrupts'
# Of each numbered interrupt, on all processors together, the growth; the busiest one is compared.
set -- $(awk -v cpus="$(nproc)" '/^====/ { second = 1; next } $1 ~ /^[0-9]+:$/ { sum = 0; for (i = 2; i <= cpus + 1; i++) sum += $i; if (!second) before[$1] = sum; else if (sum - before[$1] > most) { most = sum - before[$1]; irq = $1 } } END { print irq + 0, most }' workload)
[ $# = 2 ] && [ "$2" -gt 20 ] || fail "there were few interrupts: $*"
found=$(awk -v irq="$1" '$1 == irq { sum += $(NF - 3) } END { print sum }' report)
[ "$found" -ge "$2" ] || fail "the kernel counted $2 of interrupt $1, the report says $found"
within 40 "$found" "$2" 'interrupts'
