#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A child raises a semaphore every 100 ms, five times; the parent waits for each, and asks once more without waiting.
. "$SRCDIR/common.inc"

program waiter <<'END'
use IPC::SysV qw(IPC_PRIVATE IPC_CREAT IPC_RMID IPC_NOWAIT);
my $set = semget IPC_PRIVATE, 1, 0600 | IPC_CREAT;
my $child = fork // die;
if (!$child) {
  $0 = 'raiser';
  for (1..5) { select(undef, undef, undef, 0.1); semop $set, pack('s3', 0, 1, 0) }
  exit;
}
semop $set, pack('s3', 0, -1, 0) or die $! for 1..5;
semop $set, pack('s3', 0, -1, IPC_NOWAIT) and die;
waitpid $child, 0;
semctl $set, 0, IPC_RMID, 0;
print "ids $$ $child $set\n";
END
run 'exec perl program.pl'
set -- $(told ids)
expect "^raiser +$2 +$3 +5 +0 +[0-9]+ " 'the child'
set -- $(awk -v id="$1" -v set="$3" '$1 == "waiter" && $2 == id && $3 == set { print $4, $5, $6, $7, $8 }' report)
[ $# = 5 ] && [ "$1 $2" = '6 1' ] && [ "$3" -ge 4 ] && [ "$3" -le 6 ] && [ "$4" -ge 400000 ] && [ "$4" -lt 4000000 ] && [ "$5" -ge 80000 ] ||
  fail "five waits of 100 ms and a failure, the report says '$*'"
