# SPDX-License-Identifier: GPL-2.0-or-later
# A processor that starts calls memset before it can take a trap: a probe there is refused, and the guest survives a
# processor that goes and comes back.
online=/sys/devices/system/cpu/cpu1/online
[ -w "$online" ] || { echo "no second processor that can be switched off"; exit 77; }
"$STAPRUN" -c "sh -c 'echo 0 > $online && echo 1 > $online && cat $online'" "$MODULE" 2> err
status=$?
grep -q 'registration error.*safely' err || { cat err; exit 1; }
echo "status $status"
