#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The packet workload's counters agree with the kernel's, and the mask decides which CPU receives.
. "$(dirname "$0")/guest.inc"

workload=$(realpath "$(dirname "$0")/../../examples/network/pktgen-veth.sh")
cat > "$scratch/run" <<'END'
received() { # received CPU: packets its backlog has processed
    echo $((0x$(sed -n "$(($1 + 1))s/ .*//p" /proc/net/softnet_stat)))
}
echo 60000 > /proc/sys/net/core/netdev_max_backlog # a slow CPU shall not drop
for mask in 0 2; do
    before0=$(received 0) before1=$(received 1)
    RPS_MASK=$mask PACKETS=50000 "$1" || exit
    for ((tries = 0; tries < 200 && $(received 0) + $(received 1) < before0 + before1 + 50000; tries++)); do
        sleep 0.05 # the backlog is being worked off
    done
    echo "mask $mask: $(($(received 0) - before0)) $(($(received 1) - before1))"
done
echo "interfaces: $(ls /sys/class/net | xargs)"
END
"$STAP_VM" --timeout 120 --run bash "$scratch/run" "$workload" > "$scratch/out"
expect_status 0 $?
for line in 'mask 0: 50000 0' 'mask 2: 0 50000' 'interfaces: lo' 'sender: 50000 packets, 3000000 bytes, 0 dropped' 'receiver: 50000 packets, 3000000 bytes'; do
    grep -qx "$line" "$scratch/out" || fail "no '$line' in: $(cat "$scratch/out")"
done
