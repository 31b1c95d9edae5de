#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# strace(1) is such a one; so is who reads /proc/PID/mem; and somebody else may not.
. "$SRCDIR/common.inc"

command -v strace >/dev/null || exit 77
program peeker <<'END'
my $child = fork // die;
if (!$child) { $0 = 'peeked'; select(undef, undef, undef, 30); exit }
print "pids $$ $child\n";
select(undef, undef, undef, 0.2);
open my $memory, '<', "/proc/$child/mem" or die $!;
if (!fork) {
  $0 = 'stranger';
  syscall(117, 99, 99, 99) == 0 or die; # setresuid
  syscall(101, 16, $child, 0, 0) == -1 or die; # ptrace: PTRACE_ATTACH
  exit;
}
wait;
kill 9, $child;
END
run 'perl program.pl; strace -o /dev/null true'
set -- $(told pids)
expect "^[0-9:]{8} +0 peeker +$1 -> peeked +$2 attach +allowed\$" '/proc/PID/mem'
expect "^[0-9:]{8} +99 stranger +[0-9]+ -> peeked +$2 attach +EPERM\$" 'who may not'
