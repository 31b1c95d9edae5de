# SPDX-License-Identifier: GPL-2.0-or-later
# A module is unloaded and loaded again RELOAD_ROUNDS (50) times while its probed functions are being called. What it has
# counted until it ends each time is a lower bound of the hits, what the callers have asked for an upper one.
. "$SRCDIR/module.inc"
module="module(\"$PWD/work.ko\")"
cat > reload.stp <<END
global calls, returns, odd, begun, copies
probe $module.function("work").call { calls <<< 1 }
probe $module.function("work").return { returns <<< \$return }
probe $module.statement("work@work.c:$(line odd)") { odd <<< 1 }
probe $module.function("begin_work").return { begun <<< 1 }
probe $module.function("tally").inline { copies <<< 1 }
probe end { printf("%d %d %d %d %d\n", @count(calls), @count(returns), @count(odd), @count(begun), @count(copies)) }
END
compile reload
cat > caller <<'END'
trap 'echo $n > asked.$1; exit' TERM
n=0
while :; do { n=$((n + 1)); echo 3 > /sys/module/work/parameters/run; } 2> /dev/null; done
END
cat > steps <<'END'
bash caller 1 & a=$!
bash caller 2 & b=$!
for ((round = 0; round < $1; round++)); do
  insmod work.ko || exit
  until [ "$(cat /sys/module/work/parameters/odd)" -gt 9 ]; do :; done
  until rmmod work 2> /dev/null; do :; done
done
kill $a $b
wait $a $b
END
cat > run <<'END'
cd "$1"
dmesg -c > /dev/null
./staprun -c "bash steps $2" reload.ko > hits 2> messages
cat messages
read -r calls returns odd begun copies < hits
sum() { dmesg | sed -n "s/.*work ends:.* $1 \([0-9]*\).*/\1/p" | awk '{ n += $1 } END { print n + 0 }'; }
ends=$(dmesg | grep -c "work ends")
asked=$(($(cat asked.1) + $(cat asked.2)))
runs=$(sum runs) were_odd=$(sum odd)
[ "$ends" = "$2" ] || echo "the module ended $ends times"
[ "$begun" = $((2 * $2)) ] || echo "begin_work was hit $begun times"
between() { [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] || echo "$1: $2 hits, between $3 and $4 are right"; }
between calls "$calls" "$runs" $((asked + 2 * $2))
between returns "$returns" "$runs" "$calls"
between odd "$odd" "$were_odd" $((asked + $2))
between copies "$copies" "$were_odd" $((asked + $2))
[ "$runs" -gt $((10 * $2)) ] || echo "the module was called $runs times only"
dmesg | grep -i 'BUG\|WARN\|oops\|general protection' | head -3
echo "compared"
END
cp "$STAPRUN" staprun
"$STAP_VM" --release "$STAP_RELEASE" --timeout 600 --share "$PWD" --run bash "$PWD/run" "$PWD" "${RELOAD_ROUNDS:-50}"
