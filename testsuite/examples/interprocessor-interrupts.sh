#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# /proc/interrupts has them as RES, CAL and LOC.
. "$SRCDIR/common.inc"

[ "$(nproc)" -ge 2 ] || exit 77
program asker <<'END'
# A processor that computes must be interrupted.
my $child = fork // die;
if (!$child) { 1 while 1 }
# MEMBARRIER_CMD_GLOBAL_EXPEDITED, of a process that the child registers for, is an interrupt; affinity moves are, too.
for (1..150) {
  syscall 203, 0, 8, pack('Q', 1 << ($_ & 1));
  syscall 203, $child, 8, pack('Q', 1 << (~$_ & 1));
  select undef, undef, undef, 0.007; # so that there are ticks, however fast the machine is
}
kill 9, $child;
waitpid $child, 0;
END
run 'cat /proc/interrupts; perl program.pl; cat /proc/interrupts'
for pair in RES:2 CAL:4 LOC:6; do
  kernel=$(awk -v name="${pair%%:*}:" -v cpus="$(nproc)" '$1 == name { for (i = 2; i <= cpus + 1; i++) sum += seen ? $i : -$i; seen = 1 } END { print sum }' workload)
  found=$(awk -v column="${pair#*:}" 'NR > 1 { sum += $column } END { print sum }' report)
  # The script is there before the first look and after the last.
  [ "$found" -ge "$kernel" ] && [ "$found" -le $((kernel + kernel / 2 + 60)) ] || fail "the kernel counted $kernel of ${pair%%:*}, the report says $found"
  [ "$pair" != LOC:6 ] || [ "$kernel" -ge 100 ] || fail "there were $kernel timer interrupts"
done
