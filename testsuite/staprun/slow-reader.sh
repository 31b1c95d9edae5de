#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While staprun stands still the buffers overflow: what is lost is counted and its place marked, what is not comes, and a warning tells.
. "$SRCDIR/guest.inc"

rm -f out

"$STAPRUN" -v -s 1 "$MODULE" >out 2>err &
pid=$!
wait_for grep -q started out
kill -STOP $pid
dd if=/dev/zero of=/dev/null bs=1 count=40000 2>/dev/null
kill -CONT $pid
# The next record on a CPU that lost some tells where it was.
marked() {
  dd if=/dev/zero of=/dev/null bs=1 count=10 2>/dev/null
  grep -q '^WARNING: [1-9][0-9]* records were lost here$' err
}
wait_for marked
kill -INT $pid
wait $pid || fail "status $?: $(cat err)"
sums=$(sed -n 's/^staprun: records: \([0-9]*\) produced = \([0-9]*\) delivered + \([0-9]*\) lost$/\1 \2 \3/p' err)
set -- $sums
[ $# = 3 ] || fail "no account: $(cat err)"
[ "$1" -ge 40000 ] || fail "only $1 records were produced"
[ "$1" -eq $(($2 + $3)) ] || fail "$1 is not $2 + $3"
[ "$3" -gt 0 ] || fail "nothing was lost in 1 MB"
[ "$(wc -l <out)" -eq "$2" ] || fail "$2 records delivered, $(wc -l <out) lines printed"
grep -q "^WARNING: lost $3 of $1 records" err || fail "no warning: $(cat err)"
