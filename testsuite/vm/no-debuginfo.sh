#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The network examples run with no debuginfo: BTF tells of the functions and types of the kernel and of veth.
. "$(dirname "$0")/guest.inc"

export SYSTEMTAP_DEBUGINFO_PATH=/nonexistent
examples=$(realpath "$(dirname "$0")/../../examples/network")
for example in rps-distribution veth-pps; do
    "$STAP" -r "$STAP_RELEASE" -p4 "$examples/$example.stp" > "$scratch/path" 2> "$scratch/log" || fail "$(cat "$scratch/log")"
    mv "$(tail -n 1 "$scratch/path")" "$scratch/$example.ko"
    cp "$STAPRUN" "$scratch"
done
cat > "$scratch/run" <<'END'
modprobe veth
cd "$1" || exit
for example in rps-distribution veth-pps; do
    ./staprun -c "env SECONDS_TO_RUN=4 bash $2/pktgen-veth.sh > workload" $example.ko > report || exit
    grep -q '^sender: [1-9][0-9]* packets' workload || exit
    # What the script told of, of what the interface counted: the last interval is not printed.
    awk -v name=$example -v sent="$(awk '/^sender:/ { print $2 }' workload)" '
        /^cpu/ { n += $3 } /packets\/s/ { n += $1 }
        END { print name ": " (n > sent / 4 && n <= sent * 1.01 ? "counted" : n " of " sent) }' report
done
END
"$STAP_VM" --release "$STAP_RELEASE" --timeout 200 --share "$scratch" --run bash "$scratch/run" "$scratch" "$examples" > "$scratch/out"
expect_status 0 $?
cat "$scratch/out"
