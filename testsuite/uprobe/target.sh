# SPDX-License-Identifier: GPL-2.0-or-later
# The program runs in the target's family and outside of it while the script runs, with -c and then with -x.
pipes=$(mktemp -d /tmp/target.XXXXXX) && mkfifo $pipes/ready $pipes/go || exit 1 # the scratch directory is another machine's
trap 'rm -rf $pipes' EXIT
"$STAPRUN" -c "sh -c './program 3 0 0 1; echo > $pipes/ready; read line < $pipes/go'" "$MODULE" &
run=$!
read -r line < $pipes/ready
./program 5 0 0 1
echo > $pipes/go
wait $run

(read -r line < $pipes/go; ./program 2; exec ./program 2 0 0 1) &
target=$!
"$STAPRUN" -v -x $target "$MODULE" 2> log &
run=$!
for ((i = 0; i < 600; i++)); do grep -q 'is running' log && break; sleep 0.1; done
./program 5 0 0 1
echo > $pipes/go
wait $target
kill -INT $run
wait $run
grep -v '^staprun: ' log
exit 0
