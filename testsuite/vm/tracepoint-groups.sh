#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The groups of tracepoints, read out of the kernel's image, are those that the booted kernel shows in tracefs.
. "$(dirname "$0")/guest.inc"

release=${STAP_RELEASE:-$("$STAP_VM" --list | head -n 1)}
groups='sched irq timer kmem raw_syscalls workqueue vmscan'
"$STAP_VM" --release "$release" --run bash -c '
    mount -t tracefs none /sys/kernel/tracing 2>/dev/null
    cd /sys/kernel/tracing/events && for group in '"$groups"'; do for event in $group/*/; do echo "$group:$(basename "$event")"; done; done
' | sort > "$scratch/shown" || fail "the guest shows no events"
[ "$(grep -c : "$scratch/shown")" -gt 80 ] || fail "the guest shows $(cat "$scratch/shown")"
for group in $groups; do
    "$STAP" -r "$release" -l "kernel.trace(\"$group:*\")" | sed "s/.*\"\(.*\)\".*/$group:\1/"
done | sort > "$scratch/listed"
diff "$scratch/shown" "$scratch/listed" || fail "tracefs (<) and stap (>) differ"
