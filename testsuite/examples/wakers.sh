#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two processes pass a byte to and fro 200 times: each wakes the other about as often.
. "$SRCDIR/common.inc"

program ping <<'END'
pipe my $to_pong, my $from_ping or die;
pipe my $to_ping, my $from_pong or die;
my $child = fork // die;
if (!$child) {
  $0 = 'pong';
  close $from_ping;
  while (sysread $to_pong, $_, 1) { syswrite $from_pong, 'x' }
  exit;
}
for (1..200) { syswrite $from_ping, 'x'; sysread $to_ping, $_, 1 }
print "pids $$ $child\n";
close $from_ping;
waitpid $child, 0;
END
run 'exec perl program.pl'
set -- $(told pids)
for pair in "ping $1 pong $2" "pong $2 ping $1"; do
  set -- $pair
  count=$(awk -v a="$1" -v b="$2" -v c="$3" -v d="$4" '$1 == a && $2 == b && $4 == c && $5 == d { print $6 }' report)
  # Who has not fallen asleep yet need not be woken.
  [ -n "$count" ] && [ "$count" -ge 150 ] && [ "$count" -le 210 ] || fail "$1 wakes $3 200 times, the report says '$count'"
done
