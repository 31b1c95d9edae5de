#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where 240 processors could come and two are there, a script's buffers are those of two.
. "$(dirname "$0")/guest.inc"

cat > "$scratch/run" <<'END'
cd "$1"
echo "possible: $(cat /sys/devices/system/cpu/possible)"
"$2" -s 16 ./wide.ko &
for i in $(seq 400); do
    grep -qx ready out && break
    sleep 0.05
done
echo "buffers: $(grep -F '[wide]' /proc/vmallocinfo | awk '$2 > 16 * 1048576 { n++ } END { print n + 0 }')"
kill -INT $!
wait $!
echo "status: $?"
END
cat > "$scratch/expected" <<'END'
possible: 0-239
ready
buffers: 3
hits on each of two
status: 0
END
script='global hits
probe begin { println("ready") }
probe timer.profile { if (cpu() < 2) hits[cpu()] <<< 1 else println("cpu ", cpu()) }
probe end { if (@count(hits[0]) && @count(hits[1])) println("hits on each of two") }'
cd "$scratch"
release=${STAP_RELEASE:-$("$STAP_VM" --list | head -n 1)}
"$STAP" -r "$release" -p4 -m wide -e "$script" > /dev/null || exit 77
"$STAP_VM" --release "$release" --append possible_cpus=240 --share "$scratch" --run sh -c 'sh run "$1" "$2" > out 2>&1' \
    sh "$scratch" "$STAPRUN" || fail "$(cat out)"
grep -v "^WARNING: Late timer" out | diff expected - || fail "see above"
