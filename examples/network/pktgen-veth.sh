#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A workload for network probes: the kernel's packet generator sends through one end of a veth pair to the other, then the counters are shown.

# usage: pktgen-veth.sh [SECONDS]     as root; the same by environment:
#   SECONDS_TO_RUN  duration (5); not used when PACKETS is given
#   PACKETS         packets a generator thread sends (0: until the time is up)
#   THREADS         generator threads, on CPU 0, 1, ... (1)
#   RPS_MASK        rps_cpus of the receiving end, hexadecimal (0: packets stay on the CPU that sent them)
#   PACKET_BYTES    packet size without the checksum (60)
#
# Each packet passes veth_xmit() and, at the receiving end, enqueue_to_backlog(); IP then drops it, for nobody has its address.
# The UDP source port varies, so that receive packet steering has flows to spread. Everything made here is removed at the end.
set -euo pipefail
seconds=${1:-${SECONDS_TO_RUN:-5}} packets=${PACKETS:-0} threads=${THREADS:-1} rps_mask=${RPS_MASK:-0} packet_bytes=${PACKET_BYTES:-60}
sender=pgtx$$ receiver=pgrx$$
sender=${sender:0:15} receiver=${receiver:0:15}
proc=/proc/net/pktgen
PATH=$PATH:/usr/sbin:/sbin
generator=''

die() {
    echo "pktgen-veth: $*" >&2
    exit 1
}

has_devices() { # has_devices CPU
    grep -Eq '^(Running|Stopped): +[^ ]' "$proc/kpktgend_$1"
}

# The thread removes its devices when it comes to it, and those added meanwhile with them: wait until they are gone, and don't ask
# for nothing.
empty_thread() { # empty_thread CPU
    local tries=100
    has_devices "$1" || return 0
    echo rem_device_all > "$proc/kpktgend_$1"
    while has_devices "$1"; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.1
    done
}

cleanup() {
    trap '' INT TERM
    if [ -n "$generator" ]; then
        echo stop > $proc/pgctrl || true
        wait "$generator" || true
    fi
    for ((cpu = 0; cpu < threads; cpu++)); do
        [ ! -e "$proc/kpktgend_$cpu" ] || empty_thread "$cpu" || true
    done
    ip link delete "$sender" 2> /dev/null || true
}

counter() { # counter INTERFACE NAME
    cat "/sys/class/net/$1/statistics/$2"
}

make_pair() {
    ip link add "$sender" type veth peer name "$receiver" || die "cannot make a veth pair"
    for end in "$sender" "$receiver"; do
        # no address and no forwarding: the generator's packets are the only ones, and they go no further
        echo 1 > "/proc/sys/net/ipv6/conf/$end/disable_ipv6" 2> /dev/null || true
        echo 0 > "/proc/sys/net/ipv4/conf/$end/forwarding"
        ip link set "$end" up
    done
    for queue in "/sys/class/net/$receiver/queues"/rx-*; do
        echo "$rps_mask" > "$queue/rps_cpus" || die "rps_cpus does not take the mask $rps_mask"
    done
    [ "$(cat "/sys/class/net/$sender/carrier")" = 1 ] || die "$sender has no carrier"
}

set_up_thread() { # set_up_thread CPU
    local device=$sender@$1
    empty_thread "$1" || die "the packet generator does not let go of its devices"
    echo "add_device $device" > "$proc/kpktgend_$1"
    for setting in "count $packets" "pkt_size $packet_bytes" "delay 0" "clone_skb 0" \
        "dst_mac $(cat "/sys/class/net/$receiver/address")" "dst 198.18.0.2" "src_min 198.18.0.1" "src_max 198.18.0.1" \
        "udp_src_min 1024" "udp_src_max 2047" "flag UDPSRC_RND" "udp_dst_min 9" "udp_dst_max 9"; do
        echo "$setting" > "$proc/$device" || die "pktgen does not take '$setting'"
    done
}

# The writer of "start" waits in the kernel until every thread is done.
generate() {
    (trap '' INT TERM; echo start > $proc/pgctrl) &
    generator=$!
    if [ "$packets" = 0 ]; then
        sleep "$seconds" 9>&- & # in the background, so that a signal is served at once
        wait $! || true
        echo stop > $proc/pgctrl
    fi
    wait "$generator"
    generator=''
}

report() {
    for ((cpu = 0; cpu < threads; cpu++)); do
        # Result: OK: 5000123(c4999990+d133) usec, 600000 (60byte,0frags)  /  119997pps 57Mb/sec (57598560bps) errors: 0
        sed -n "s/^Result: OK: \([0-9]*\)([^)]*) usec, \([0-9]*\) .*/pktgen cpu $cpu: \2 packets in \1 us/p
                s/^ *\([0-9]*\)pps .*errors: \([0-9]*\).*/pktgen cpu $cpu: \1 pps, \2 errors/p" "$proc/$sender@$cpu"
    done
    echo "sender: $(counter "$sender" tx_packets) packets, $(counter "$sender" tx_bytes) bytes, $(counter "$sender" tx_dropped) dropped"
    echo "receiver: $(counter "$receiver" rx_packets) packets, $(counter "$receiver" rx_bytes) bytes"
}

[ "$(id -u)" = 0 ] || die "must be root"
modprobe pktgen 2> /dev/null || [ -d $proc ] || die "this kernel has no packet generator (module pktgen)"
modprobe veth 2> /dev/null || true
for ((cpu = 0; cpu < threads; cpu++)); do
    [ -e "$proc/kpktgend_$cpu" ] || die "THREADS=$threads, but there is no CPU $cpu"
done
# The generator's threads can only be emptied as a whole, so that there is one of us at a time: another may be cleaning up still.
exec 9> /run/pktgen-veth.lock
flock -w 60 9 || die "another pktgen-veth.sh is running"
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
make_pair
for ((cpu = 0; cpu < threads; cpu++)); do
    set_up_thread $cpu
done
generate
report
