# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's counts of /proc hold the script's hits, and few more: those of reading them.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" -c "perl $SRCDIR/software.pl" "$MODULE" >out || fail "staprun ended with status $?"
read -r faults switches <out
read -r seen_faults seen_switches < <(tail -1 out)
sed '1d;$d' out
extra=$((faults - seen_faults))
[ $extra -ge 0 ] && [ $extra -lt 100 ] || echo "$faults faults, $seen_faults seen"
extra=$((switches - seen_switches))
[ $extra -ge 0 ] && [ $extra -lt 20 ] || echo "$switches switches, $seen_switches seen"
