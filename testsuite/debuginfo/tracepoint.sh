# SPDX-License-Identifier: GPL-2.0-or-later
# Tracepoints are listed with what they pass, with and without debuginfo alike; a name that is nearly right is suggested.
. "$SRCDIR/kernel.inc"
stap -L 'kernel.trace("sched_process_e*")'
SYSTEMTAP_DEBUGINFO_PATH=/nonexistent "$STAP" -r "$STAP_RELEASE" -l 'kernel.trace("sched_switch")'
stap -p2 -e 'probe kernel.trace("sched_swich") { }' 2>&1 | grep -E '^error|hint:'
stap -l 'kernel.trace("sched:sched_switch")'
for point in sched:sched_swich schd:sched_switch irq:sched_switch; do
  stap -p2 -e "probe kernel.trace(\"$point\") { }" 2>&1 | grep -E '^error|note: there|hint:'
done
stap -p2 -e 'probe kernel.trace("sched_switch") { println($__data, $prv) }' 2>&1 | grep -E '^error|note:'
stap -g -p2 -e 'probe kernel.trace("sched_switch") { $preempt = 1; $next->prio = 5 }' 2>&1 | grep -E '^error'
stap -l 'kernel.tracepoint("jbd2:jbd2_co*")'
stap -L 'module("ext4").trace("ext4:ext4_unlink_e*")'
stap -l 'module("ext?").tracepoint("*_mballoc_pre*")'
stap -p2 -e 'probe module("ext4").trace("ext4:ext4_alloc_inode") { }' 2>&1 | grep -E '^error|hint:'
stap -p2 -e 'probe module("ext4").trace("ext:*") { }' 2>&1 | grep -E '^error|note:'
stap -p2 -e 'probe module("etx4").trace("ext4:*") { }' 2>&1 | grep -E '^error|hint:'
