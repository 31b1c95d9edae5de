# SPDX-License-Identifier: GPL-2.0-or-later
# What ends a script from outside, and the exit status: -T, ^C, the -c command and its failure, a reader that goes away.
. "$(dirname "$0")/runtime.inc"
script sample-program
so=$work/sample-program.so
endless=ticks=-1000000000

"$staprun" -T 1 "$so" $endless > "$work/out"; echo "-T: status $?"
grep -c '^odd' "$work/out"

# What an earlier run printed must not be taken for this one's.
rm -f "$work/out"
"$staprun" "$so" $endless > "$work/out" & pid=$!
wait_for 20 grep -q '^0' "$work/out"
kill -INT $pid; wait $pid; echo "SIGINT: status $?"
grep -c '^odd' "$work/out"

# the command starts when the probes are armed; its end is the script's, and its failure too
rm -f "$work/out"
"$staprun" -c "until grep -q ^0 $work/out; do sleep 0.05; done; echo command >> $work/cmd" "$so" $endless > "$work/out" 2>&1
echo "-c: status $?"
cat "$work/cmd"
"$staprun" -c 'exit 3' "$so" $endless 2>&1 | grep 'the command'
"$staprun" -c 'exit 3' "$so" $endless > /dev/null 2>&1; echo "-c exit 3: status $?"
"$staprun" -c 'sleep 1000' "$so" > /dev/null; echo "-c ended by the script: status $?"

"$staprun" "$so" $endless | head -n 1
"$staprun" -c true -x 1 "$so" 2>&1; echo "status $?"
