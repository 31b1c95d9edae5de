#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process of a cgroup that may have 20 MiB reads 60 MiB: the cgroup's statistics say how many pages it had to free.
. "$SRCDIR/common.inc"

disk nullb7 128
file_system
group=/sys/fs/cgroup/reclaim-example
grep -qw memory /sys/fs/cgroup/cgroup.controllers || exit 77
echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir $group && echo 20M >$group/memory.max
run "sh -c 'echo \$\$ >$group/cgroup.procs; exec dd if=/dev/zero of=at/file bs=1M count=60 status=none'
cat $group/memory.stat"
rmdir $group
stolen=$(told pgsteal_direct)
stolen=${stolen:-$(told pgsteal)}
found=$(awk '$1 == "dd" { print $6 }' report)
[ "$stolen" -gt 5000 ] || fail "the kernel freed $stolen pages only"
within 5 "$found" "$stolen" 'pages freed'
awk '$1 == "dd" { exit !($3 > 0 && $4 >= $5 && $5 > 0) }' report || fail 'it took no time'
