# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own count of the workload's page faults is that of the probe, which begins a little earlier and ends a little later.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" -c "perl $SRCDIR/memory.pl" -o script "$MODULE" >workload || fail "staprun ended with status $?"
grep -v '^faults' script
kernel=$(cat workload) probes=$(sed -n 's/^faults: //p' script)
[ "$kernel" -ge 300 ] && [ "$probes" -ge "$kernel" ] && [ "$probes" -le $((kernel + 20)) ] ||
  echo "the kernel counts $kernel page faults, the probes $probes"
