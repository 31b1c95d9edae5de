#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a hit costs besides its handler is measured for each mechanism that the script uses. Breakpoints stay breakpoints meanwhile.
switch=/proc/sys/debug/kprobes-optimization
echo 0 >$switch
trap 'echo 1 >$switch' EXIT
"$STAPRUN" -c 'dd if=/dev/zero of=/dev/null bs=77 count=5 status=none' "$MODULE"
