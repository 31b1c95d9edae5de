# SPDX-License-Identifier: GPL-2.0-or-later
# A script takes memory for the CPUs that are online. One that comes later gets its own before it is hit, its ring is
# read, also after it has gone, and where there is no memory its hits are skipped and counted.
. "$SRCDIR/../staprun/guest.inc"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo "the guest has no second CPU to be switched off"; exit 77; }
trap 'echo 1 >$online' EXIT

load() { # load ARG...: staprun, until the probe is attached
	"$STAPRUN" -s 4 "$@" "$MODULE" >out 2>err &
	pid=$!
	wait_for grep -q sys_getppid /sys/kernel/debug/tracing/enabled_functions
}
rings() { grep -F "[$name]" /proc/vmallocinfo | awk '$2 > 4 * 1048576 && $2 < 5 * 1048576 { n++ } END { print n + 0 }'; }
lines() { [ "$(wc -l <out)" -ge "$1" ]; }
call() { taskset -c "$1" perl -e 'getppid() for 1 .. shift' "$2"; }

echo 0 >$online
load
echo "rings with one CPU: $(rings)"
call 0 300
wait_for lines 300
echo 1 >$online
echo "rings with two: $(rings)"
call 1 500
echo 0 >$online
call 0 200
kill -INT $pid
wait $pid || fail "staprun ended with status $?"
echo "rings in the end: $(rings)"
sort out | uniq -c | sed 's/^ *//'
grep -v "^staprun: attached" err # a slow machine shows how far it is

# The memory is charged to who brings the CPU, and that one has none to give.
group=/sys/fs/cgroup/kernel_cpu_comes
echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir $group && echo 2M >$group/memory.max || exit 77
load
sh -c 'echo $$ >'$group'/cgroup.procs && echo 1 >'$online || fail "the CPU did not come"
echo "online: $(cat $online)"
call 1 70
call 0 30
kill -INT $pid
wait $pid || fail "staprun ended with status $?"
sort out | uniq -c | sed 's/^ *//'
grep -v "^staprun: attached" err
rmdir $group
