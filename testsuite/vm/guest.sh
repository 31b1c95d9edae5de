#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest is a usable system: file systems, names, clock, modules by name, the caller's environment and directory.
. "$(dirname "$0")/guest.inc"

cat > "$scratch/look" <<'END'
check() { # check NAME COMMAND...
    name=$1
    shift
    "$@" > /dev/null 2>&1 && echo "$name: yes" || echo "$name: no"
}
check hostname [ "$(hostname)" = stap-guest ]
check loopback-up grep -qx 0x9 /sys/class/net/lo/flags
for file in /proc/self/stat /sys/kernel/debug/tracing/README /sys/kernel/tracing/README /dev/null /dev/ptmx /dev/fd/1 /sys/kernel/btf/vmlinux; do
    check $file [ -e $file ]
done
check bpffs [ "$(stat -f -c %T /sys/fs/bpf)" = bpf_fs ]
check stdout sh -c 'echo > /dev/stdout'
check path command -v modprobe
check modprobe modprobe veth
check module [ -d /sys/module/veth ]
check root [ "$(id -u)" = 0 ]
check environment [ "$GREETING" = "good day" ]
check directory [ -e look ]
check arguments [ "$1" = "two words" -a "$2" = '' -a $# = 2 ]
check quiet grep -q '^4' /proc/sys/kernel/printk
echo "clock: $(date +%s)"
END
cd "$scratch"
GREETING="good day" "$STAP_VM" --run bash look "two words" '' > "$scratch/out" 2>&1
expect_status 0 $?
now=$(date +%s)
clock=$(sed -n 's/^clock: //p' out)
[ $((now - clock)) -lt 30 ] && [ $((clock - now)) -lt 5 ] || fail "the guest's clock shows $clock at $now"
! grep ': no$' out || fail "$(cat out)"
grep -q '^quiet: yes' out || fail "$(cat out)"
