#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nine files are made, written and removed over a loopback device that delays packets by 10 ms, there and back: as many calls as the kernel's
# own statistics of the mount have.
. "$SRCDIR/common.inc"
set +eu
. "$SRCDIR/../tapset/nfs.inc"
modprobe sch_netem || exit 77
load_nfs
start_server
cat >load <<END
mkdir -p $place/v3
mount -t nfs -o vers=3,nolock,rsize=4096,wsize=4096,hard 127.0.0.1:$place/export $place/v3 || exit 1
tc qdisc add dev lo root netem delay 10ms
for i in 1 2 3 4 5 6 7 8 9; do head -c 10000 /dev/zero >$place/v3/file\$i; done
sync
rm $place/v3/file*
sed -n '/ $(basename "$place")\/v3 /,\$p; /\/v3 with/,\$p' /proc/self/mountstats
tc qdisc del dev lo root
umount $place/v3
END
run 'exec sh ./load'
calls() { sed -n "s/^\t* *$1: \([0-9]*\) .*/\1/p" workload | tail -n 1; }
for operation in CREATE WRITE REMOVE; do
  set -- $(sed -n "s/^127\.0\.0\.1  *v3 $operation  *//p" report)
  [ $# = 4 ] && [ "$1" = "$(calls $operation)" ] && [ "$1" -ge 9 ] && [ "$2" -ge 19000 ] && [ "$2" -lt 1000000 ] && [ "$3" -ge "$2" ] ||
    fail "$operation: $(calls $operation) calls of 20 ms, the report says '$*'"
done
