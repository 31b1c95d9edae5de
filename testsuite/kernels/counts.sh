# SPDX-License-Identifier: GPL-2.0-or-later
# Each kind of probe once, its counts compared with what the workload says it did: that line must come twice.
. "$SRCDIR/../staprun/guest.inc"

"$STAPRUN" -c "perl $SRCDIR/counts.pl" "$MODULE" >out 2>err || fail "staprun ended with status $?: $(cat err)"
sort out | uniq -c | sed -E 's/^ *//; s/sum [0-9]+/sum SUM/'
