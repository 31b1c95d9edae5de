#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What in a guest's kernel log fails a test: what stock and debug kernels print when they find a fault, and nothing else.
harm=$TOP/testsuite/lib/kernel-harm failed=0

# harmful YES-OR-NO LOG
harmful() {
  local said
  said=$(printf '%b\n' "$2" | "$harm")
  [ "$1" = yes ] && [ -n "$said" ] || { [ "$1" = no ] && [ -z "$said" ]; } && return
  echo "harmful $1, but said '$said': $2"
  failed=1
}

harmful yes '[   12.5] BUG: KASAN: slab-out-of-bounds in f+0x1/0x2 [t_x]'
harmful yes '[   12.5] WARNING: possible circular locking dependency detected'
harmful yes '[   12.5] WARNING: possible recursive locking detected'
harmful yes '[   12.5] WARNING: inconsistent lock state'
harmful yes '[   12.5] WARNING: suspicious RCU usage'
harmful yes '[   12.5] BUG: sleeping function called from invalid context at mm/slab.h:274'
harmful yes '[   12.5] BUG: scheduling while atomic: staprun/12/0x2'
harmful yes '[   12.5] UBSAN: shift-out-of-bounds in a.c:1:2'
harmful yes '[   12.5] ODEBUG: free active (active state 0) object type: timer_list hint: f+0x0/0x1'
harmful yes '[   12.5] list_add corruption. next->prev should be prev (1), but was 2.'
harmful yes '[   12.5] BUG: unable to handle page fault for address: 0'
harmful yes '[   12.5] rcu: INFO: rcu_preempt self-detected stall on CPU'
harmful yes '[   12.5] watchdog: BUG: soft lockup - CPU#1 stuck for 26s!'
harmful yes '[   12.5] INFO: task staprun:12 blocked for more than 120 seconds.'
harmful yes '[   12.5] WARNING: CPU: 0 PID: 1 at kernel/kprobes.c:1 f+0x1/0x2'
harmful yes 'first\nBUG: KCSAN: data-race in f / g\n f+0x1/0x2 [t_x]\n======================================='
harmful yes 'BUG: KCSAN: data-race in a / b\n a [veth]\n=============\nBUG: KCSAN: data-race in c / d\n c [s_7]\n============='
harmful yes '[   12.5] WARNING: CPU: 0 PID: 1 at kernel/kprobes.c:1119 __disarm_kprobe_ftrace+0x1/0x2'
harmful yes '[   12.5] FAULT_INJECTION: forcing a failure.\n[   12.6] WARNING: CPU: 0 PID: 1 at kernel/kprobes.c:9 disarm_kprobe+0x1/0x2'
harmful no '[   12.5] FAULT_INJECTION: forcing a failure.\n[   12.6] WARNING: CPU: 0 PID: 1 at kernel/kprobes.c:1119 __disarm_kprobe_ftrace+0x1/0x2'
# The kernel's own races, and what is said of any module that is not the distribution's.
harmful no 'BUG: KCSAN: data-race in a / b\n a+0x1/0x2\n b+0x1/0x2 [veth]\n=======================\n[ 13.1] f [t_x]'
harmful no 'BUG: KCSAN: data-race in ktime_get_mono_fast_ns / timekeeping_update\n f+0x1/0x2 [t_x]\n======================='
harmful no 'BUG: KCSAN: data-race in ktime_get_mono_fast_ns+0x80/0x100\nrace at unknown origin\n f+0x1/0x2 [t_x]\n======================='
harmful no '[   12.5] t_x: loading out-of-tree module taints kernel.'
harmful no '[   12.5] FAULT_INJECTION: forcing a failure.'
harmful no '[   12.5] sysrq: Show backtrace of all active CPUs\n NMI backtrace for cpu 0\n Call Trace:\n  f+0x1/0x2 [t_x]'
exit $failed
