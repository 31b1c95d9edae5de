# SPDX-License-Identifier: GPL-2.0-or-later
# Processes and threads begin and end all the time, while a script that is told of them starts and ends several times.
. "$SRCDIR/../staprun/guest.inc"
while [ ! -e enough ]; do ./events; done & first=$!
while [ ! -e enough ]; do ./events calls; done & second=$!
for i in 1 2 3 4 5; do "$STAPRUN" -c './events' "$MODULE"; done
"$STAPRUN" -o killed "$MODULE" & script=$!
wait_for grep -q ready killed
kill -KILL $script
wait $script 2> /dev/null
wait_for rmmod "$name"
touch enough
wait $first $second
