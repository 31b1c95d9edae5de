#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that sleeps 120 times is woken by that many hrtimers, whose function is hrtimer_wakeup().
. "$SRCDIR/common.inc"

program sleeper <<'END'
select(undef, undef, undef, 0.005) for 1..120;
END
run 'exec perl program.pl'
found=$(awk '$1 == "hrtimer" && $2 == "hrtimer_wakeup" { print $3 }' report)
[ -n "$found" ] && [ "$found" -ge 120 ] && [ "$found" -le 200 ] || fail "120 sleeps, the report says '$found'"
awk '$1 == "hrtimer" && $2 == "hrtimer_wakeup" && $4 > 0 && $5 <= $6 { found = 1 } END { exit !found }' report || fail 'rate or times do not fit'
expect '^timer +(process_timeout|delayed_work_timer_fn|[a-z_]+) +[1-9]' 'a timer in ticks'
