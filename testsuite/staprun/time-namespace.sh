#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In a time namespace, whose clock is behind the kernel's or ahead of it, no record waits until the rings are full.
. "$SRCDIR/guest.inc"

uptime=$(cut -d . -f 1 /proc/uptime)
[ -e /proc/self/timens_offsets ] || { echo "no time namespaces"; exit 77; }
reads='for cpu in 0 1; do taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 count=20000 2>/dev/null & done; wait'

for shift in -$((uptime - 1)) 100000; do
  unshare --time --fork --monotonic $shift -- "$STAPRUN" -v -s 1 -c "sh -c '$reads'" "$MODULE" >out 2>err ||
    fail "shift $shift: status $?: $(cat err)"
  [ "$(head -n 1 out)" = started ] || fail "shift $shift: it begins with $(head -n 1 out)"
  # A buffer holds 8192 of the lines, 16384 both: what came beyond that was read while the command ran. How much more that
  # is depends on what else the machine does.
  [ "$(wc -l <out)" -ge 16500 ] || fail "shift $shift: $(wc -l <out) lines, $(tail -n 1 err)"
done
