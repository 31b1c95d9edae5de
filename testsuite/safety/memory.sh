#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Buffers that the machine or the caller's memory cgroup has no room for are refused, and nobody is killed for them.
. "$SRCDIR/../staprun/guest.inc"

# Takes MB of memory that can't be given back, says so, and keeps it until its standard input ends.
take() { perl -e '$mb = shift; $x = "x" x ($mb << 20); $| = 1; print "taken\n"; <STDIN>; print "kept\n"' "$1"; }
available_mb() { awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo; }
killed() { dmesg | grep -i "out of memory\|oom-kill\|killed process"; }
refused() { grep -q "^ERROR: there is not enough free memory for the script; smaller buffers (-s)" "$1"; }

# What stays free, an eighth of the memory, and 170 MB are left; buffers of all CPUs take more, which total memory has several times.
reserve=$(awk '/^MemTotal:/ { print int($2 / 8192) }' /proc/meminfo)
coproc hog { take $(($(available_mb) - reserve - 170)); }
to_hog=${hog[1]} # bash forgets it when the process has ended
read -r -t $((60 * ${VM_SLOWNESS:-1})) said <&"${hog[0]}" && [ "$said" = taken ] || fail "no memory was taken"
exec 5<&"${hog[0]}"
"$STAPRUN" -s $((256 / $(nproc))) "$MODULE" >out 2>&1 && fail "256 MB of buffers fit beside $(available_mb) MB: $(cat out)"
refused out || fail "not refused: $(cat out)"
"$STAPRUN" -s 4 "$MODULE" || fail "8 MB don't fit"
echo end >&"$to_hog"
read -r -t $((60 * ${VM_SLOWNESS:-1})) said <&5 && [ "$said" = kept ] || fail "the memory was not kept: $(killed)"

# A cgroup's limit counts what the script takes.
group=/sys/fs/cgroup/safety_memory
echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir $group && echo 48M >$group/memory.max || exit 77
inside() { sh -c 'echo $$ >'$group'/cgroup.procs && exec "$@"' inside "$@"; }
inside "$STAPRUN" -s 64 "$MODULE" >out 2>&1 && fail "128 MB of buffers fit into a cgroup of 48 MB"
refused out || fail "not refused: $(cat out)"
inside "$STAPRUN" -s 4 "$MODULE" || fail "8 MB don't fit into a cgroup of 48 MB"
[ "$(sed -n 's/^oom_kill //p' $group/memory.events)" = 0 ] || fail "the cgroup's OOM killer was called"
rmdir $group
[ -z "$(killed)" ] || fail "the OOM killer was called: $(killed)"
