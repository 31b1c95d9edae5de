# SPDX-License-Identifier: GPL-2.0-or-later
# ftrace can't be switched off while probes depend on it; where it is off, the script says so instead of waiting for hits.
. "$SRCDIR/../staprun/guest.inc"
switch=/proc/sys/kernel/ftrace_enabled
trap 'echo 1 >$switch' EXIT
"$STAPRUN" -c "echo 0 2>/dev/null >$switch && echo 'switched off'; dd if=/dev/zero of=/dev/null bs=77 count=9 status=none" "$MODULE"
echo 0 >$switch || fail "it can't be switched off after the script either"
"$STAPRUN" -T 1 "$MODULE" 2>err && fail "it started without ftrace"
grep -o 'kernel.ftrace_enabled is 0' err | sort -u
