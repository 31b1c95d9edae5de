#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stacks of the kernel are those that the kernel's own tracing records at the same hits: address by address.
set -eu
tracing=/sys/kernel/tracing
[ -e $tracing/kprobe_events ] || mount -t tracefs tracefs $tracing || { echo "no tracefs"; exit 77; }
tick=scheduler_tick
grep -q ' scheduler_tick$' /proc/kallsyms || tick=sched_tick

end() {
  for event in $tracing/events/kprobes/[a-z]*/ $tracing/events/sched/sched_process_exit $tracing/events/timer/hrtimer_expire_entry; do
    [ -e $event/enable ] || continue
    echo 0 > $event/enable
    echo '!stacktrace' > $event/trigger
    echo 0 > $event/filter
  done
  echo > $tracing/kprobe_events
  echo 1 > $tracing/tracing_on
  echo local > $tracing/trace_clock
  echo 0 > $tracing/options/sym-addr
  echo > $tracing/trace
}
trap end EXIT
cat > $tracing/kprobe_events <<END
p:tick $tick
p:softirq run_timer_softirq
p:packet udp_rcv
p:fault handle_mm_fault
p:module 9pnet:p9_client_rpc
p:followed rw_verify_area
r:return vfs_read
END
echo mono > $tracing/trace_clock
echo 1 > $tracing/options/sym-addr
echo 4096 > $tracing/buffer_size_kb
ip link set lo up

cat > load <<'END'
# The stacks of an event while a command runs: record EVENT COMMAND
record() {
  echo "stacktrace if comm == \"$2\"" > $tracing/events/$1/trigger
  echo "comm == \"$2\"" > $tracing/events/$1/filter
  echo 1 > $tracing/events/$1/enable
}
for event in kprobes/tick kprobes/softirq kprobes/fault kprobes/module kprobes/followed kprobes/return \
             sched/sched_process_exit timer/hrtimer_expire_entry; do
  record $event cat
done
record kprobes/packet bash
i=0
while [ $i -lt 12 ]; do
  bash -c 'echo packet > /dev/udp/127.0.0.1/9'
  cat "$1" > /dev/null
  i=$((i + 1))
done
# The names are found when it is read: this script's own are known only now.
echo 0 > $tracing/tracing_on
cat $tracing/trace > trace
END
tracing=$tracing "$STAPRUN" -c "sh load $SRCDIR/kernel.sh" "$MODULE" > out 2> err || { echo "staprun ended with status $?: $(cat err)"; exit 1; }
perl "$SRCDIR/kernel.pl" out trace
