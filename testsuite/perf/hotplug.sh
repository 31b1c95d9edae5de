# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU that goes and comes back has its events again.
. "$SRCDIR/../staprun/guest.inc"
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo "the guest has no second CPU to be switched off"; exit 77; }
trap 'echo 1 >$online' EXIT
cp "$(command -v perl)" touch_pages
touch_pages() { taskset -c 1 ./touch_pages -e '$x = "\0" x (300 * 4096)'; }
seen() { cat /proc/stap_"$name".d/seen; }
risen() { touch_pages; [ "$(seen)" -ge $(($1 + 300)) ]; } # the event may come a moment after the CPU
"$STAPRUN" "$MODULE" >out 2>err &
pid=$!
wait_for seen >/dev/null 2>&1
touch_pages
first=$(seen)
[ "$first" -ge 300 ] && echo "there"
echo 0 >$online
echo 1 >$online
wait_for risen "$(seen)" && echo "back"
kill -INT $pid
wait $pid || fail "staprun ended with status $?"
cat out err
