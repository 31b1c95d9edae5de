#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 100 waits, while no kprobe is made a jump. How many hits were skipped, for the reason that is wanted, is in staprun's words.
sysctl=/proc/sys/debug/kprobes-optimization
[ ! -e $sysctl ] || { old=$(cat $sysctl); echo 0 > $sysctl; trap 'echo $old > $sysctl' EXIT; }
"$STAPRUN" -c "perl -e 'select(undef, undef, undef, 0.001) for 1 .. 100'" "$MODULE" 2> err || { cat err; exit 1; }
grep -q 'sprint_symbol.*missed by the probe mechanism' err || cat err
