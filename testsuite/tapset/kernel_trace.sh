# SPDX-License-Identifier: GPL-2.0-or-later
# What guru functions of the kernel do is seen from outside: in the trace buffer, in the log, in how the target ends.
. "$SRCDIR/../staprun/guest.inc"
place=$(mktemp -d /tmp/trace.XXXXXX)
trap 'rm -rf "$place"' EXIT
mkfifo "$place/hold"
sh -c 'read line; echo "$line" > /dev/null' < "$place/hold" & pid=$!
exec 3> "$place/hold"
"$STAPRUN" -o out -x $pid "$MODULE" 3>&- & script=$!
touch out
wait_for grep -q '^ready' out
echo go >&3
wait $pid
echo "ended with $(($? - 128))"
wait $script
cat out
tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs none $tracing
sed -n 's/.*: \(a line of kernel_trace.stp\)$/trace: \1/p' $tracing/trace
dmesg | sed -n 's/.*\(a line of kernel_trace.stp\)$/log: \1/p'
