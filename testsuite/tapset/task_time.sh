# SPDX-License-Identifier: GPL-2.0-or-later
# A process that has worked for a known time in its program and in the kernel; the load averages of /proc/loadavg.
. "$SRCDIR/../staprun/guest.inc"
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
place=$(mktemp -d /tmp/times.XXXXXX)
trap 'rm -rf "$place"' EXIT
mkfifo "$place/hold"
python3 -c '
import os, subprocess, sys
while os.times().user < 1.5: pass
zero = os.open("/dev/zero", os.O_RDONLY)
while os.times().system < 1.0: os.read(zero, 1 << 20)
child = subprocess.Popen(["sleep", "1000"])
open(sys.argv[1] + "/ready", "w").close()
sys.stdin.readline()
child.kill()
' "$place" < "$place/hold" & pid=$!
exec 3> "$place/hold"
wait_for test -e "$place/ready"

# The kernel divides the time by ticks when it is asked, and keeps what it has answered from going backwards.
near() { [ $1 -ge $(($2 * 95 / 100 - 50)) ] && [ $1 -le $(($2 * 105 / 100 + 50)) ]; }
in_proc() { sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f$(($1 - 2)); }
same_load() { # the averages change every 5 s
  cut -d' ' -f1-3 /proc/loadavg > load
  TZ=UTC "$STAPRUN" -x $pid "$MODULE" > out 3>&- || fail "staprun: $?"
  read -r _ one five fifteen whole < <(grep ^load out)
  [ "$one $five $fifteen" = "$(cat load)" ] && [ "$whole" = "${one%.*} ${five%.*} ${fifteen%.*}" ]
}
wait_for same_load
read -r _ user _ system < <(grep ^user out)
near $user $(($(in_proc 14) * 10)) || fail "user time $user ms, /proc says $(in_proc 14) ticks"
near $system $(($(in_proc 15) * 10)) || fail "system time $system ms, /proc says $(in_proc 15) ticks"
grep -v '^user\|^load' out | sed "s/\<$pid\>/PID/g; s/^[0-9]* sleep: .*->sleep([0-9]*)$/CHILD/; s/: .*->/: ...->/"
exec 3>&-
wait $pid
