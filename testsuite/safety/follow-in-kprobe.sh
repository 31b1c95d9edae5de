#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 100 sleeps, each with a hit of the kprobe. Kprobes stay breakpoints meanwhile: a jump's handler may be followed. staprun's warnings are
# printed only when they do not say that the return probe's hits were missed.
sysctl=/proc/sys/debug/kprobes-optimization
[ ! -e $sysctl ] || { old=$(cat $sysctl); echo 0 > $sysctl; trap 'echo $old > $sysctl' EXIT; }
"$STAPRUN" -c "perl -e 'select(undef, undef, undef, 0.001) for 1 .. 100'" "$MODULE" 2> err || { cat err; exit 1; }
grep -q 'sprint_symbol.*missed by the probe mechanism' err || cat err
