#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that may use 16 MiB wants 64: it is killed, and the kernel's log says how large it was.
. "$SRCDIR/common.inc"

group=/sys/fs/cgroup/oom-example
grep -qw memory /sys/fs/cgroup/cgroup.controllers || exit 77
echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir $group && echo 16M >$group/memory.max
program greedy <<'END'
print "pid $$\n";
my $size = 64 << 20; # a constant would be made before the process has its name
my $memory = 'x' x $size;
print "not killed\n";
END
run "sh -c 'echo \$\$ >$group/cgroup.procs; exec perl program.pl' || :
cat $group/memory.events"
rmdir $group
id=$(told pid)
[ "$(told oom_kill)" = 1 ] || fail 'the kernel did not kill'
expect "^[0-9:]{8} greedy\($id\) wants 1 pages, limited by cgroup oom-example; killed: greedy\($id\), size: [0-9.]+M, rss: " 'the kill'
set -- $(awk -v id="$id" '$1 == "greedy" && $2 == id { print $3, $4 }' report)
# The limit counts memory of the process, and of the kernel for it; programs' files may be counted elsewhere.
[ $# = 2 ] && [ "$1" -gt 10000 ] && [ "$1" -lt 40000 ] && [ "$2" = 0 ] || fail "a process of 16 MiB, the report says '$*'"
expect '^1 kills$' 'the count'
# The test has to kill somebody; its log is no complaint.
dmesg -C
