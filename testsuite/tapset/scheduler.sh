# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's own count of the workload's switches is within what can happen between reading it and the name's change.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" -c "perl $SRCDIR/processes.pl" -o script "$MODULE" >workload || fail "staprun ended with status $?"
grep -v '^switches' script
head -1 workload
kernel=$(tail -1 workload) probes=$(sed -n 's/^switches: //p' script)
[ "$kernel" -ge 100 ] && [ "$probes" -ge "$kernel" ] && [ "$probes" -le $((kernel + 4)) ] ||
  echo "the kernel counts $kernel switches, the probes $probes"
