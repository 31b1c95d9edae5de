#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every byte that goes over a loopback connection is counted at both ends.
. "$SRCDIR/common.inc"

run "exec perl $examples/network/tcp-loopback.pl 300000"
sent=$(awk '$1 == "tcpclient" { print $2, $3, $4 }' report)
expected=$(sed -n 's/^tcpclient \([0-9]*\) sent \([0-9]*\) in \([0-9]*\)$/\1 \2 \3/p' workload)
[ -n "$sent" ] && [ "$sent" = "$expected" ] || fail "sent '$expected', the report says '$sent'"
received=$(awk '$1 == "tcpserver" { print $2, $5, $6 }' report)
expected=$(sed -n 's/^tcpserver \([0-9]*\) received \([0-9]*\) in \([0-9]*\)$/\1 \2 \3/p' workload)
[ -n "$received" ] && [ "$received" = "$expected" ] || fail "received '$expected', the report says '$received'"
