#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each allocation that a script's life asks the kernel for fails once: the script is refused, or runs without; nothing is left behind.
# Then staprun meets such failures at random: it says that memory lacks and returns 1, or runs. Needs a kernel that can let
# allocations fail (scripts/debug-kernel).
. "$SRCDIR/../staprun/guest.inc"
. "$SRCDIR/../stress/in-memory.inc"
faults=/sys/kernel/debug
[ -d $faults/failslab ] || { echo "this kernel can't let allocations fail on request"; exit 77; }
for kind in failslab fail_page_alloc; do
  echo N >$faults/$kind/ignore-gfp-wait
  echo Y >$faults/$kind/task-filter
  # What the kernel says of a failure that it was told to make is no harm, when it says that it was told.
  echo 1 >$faults/$kind/verbose
  echo 1000 >$faults/$kind/verbose_ratelimit_interval_ms
  echo 1 >$faults/$kind/interval
  echo -1 >$faults/$kind/times
done
echo N >$faults/fail_page_alloc/ignore-gfp-highmem
echo 0 >$faults/fail_page_alloc/min-order

# An area that a module took which is gone has a caller without a name.
left() { grep -c ' 0xffffffffc[0-9a-f]* ' /proc/vmallocinfo; }

"$BUILD/testsuite/safety/failing-allocations" "$MODULE" || fail "status $?"
[ "$(left)" = 0 ] || fail "memory is left: $(grep -m 1 ' 0xffffffffc[0-9a-f]* ' /proc/vmallocinfo)"
[ ! -s $faults/tracing/enabled_functions ] || fail "functions are traced: $(cat $faults/tracing/enabled_functions)"
[ ! -s $faults/kprobes/list ] || fail "kprobes are left: $(cat $faults/kprobes/list)"

memory=$(in_memory "$STAPRUN" "$MODULE")
echo 10 >$faults/failslab/probability
refusals=0
for i in $(seq 20); do
  echo $((i % 2 * 10)) >$faults/fail_page_alloc/probability # few scripts start with both
  # The failures begin when staprun has loaded the module, and are its own only.
  "$BUILD/testsuite/stress/runs" "$memory/staprun" "$memory" . 400 "$name:int:20000:1" || fail "run $i: $(cat 0.hang 0.err)"
  status=$(cat 0.rc)
  ! grep -q '^ERROR: .*memory' 0.err || refusals=$((refusals + 1))
  # 1 without a word of memory: something else lacked it, as what reads /proc/kallsyms. 130: it was on its way out already.
  [ "$status" -lt 128 ] || [ "$status" = 130 ] || fail "run $i: status $status: $(cat 0.err)"
  [ ! -d "/sys/module/$name" ] || rmmod "$name" || fail "run $i: the module stays"
done
echo 0 >$faults/failslab/probability
echo 0 >$faults/fail_page_alloc/probability
[ $refusals -gt 0 ] || fail "no run was refused for want of memory"
[ "$(left)" = 0 ] || fail "memory is left: $(grep -m 1 ' 0xffffffffc[0-9a-f]* ' /proc/vmallocinfo)"
"$STAPRUN" -s 1 -c true "$MODULE" >out 2>err || fail "it does not run any more: $(cat err)"
echo "it runs again"
