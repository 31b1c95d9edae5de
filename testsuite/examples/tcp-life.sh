#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One side sends 300000 bytes, which the other receives.
. "$SRCDIR/common.inc"

run "exec perl $examples/network/tcp-loopback.pl 300000"
# The acknowledgement of the end counts as a byte.
set -- $(awk '$2 == "tcpclient" { print $3, $4, $5 }' report)
[ $# = 3 ] && [ "$1" -ge 300000 ] && [ "$1" -le 300002 ] && [ "$2" -le 1 ] && [ "$3" -lt 200000 ] || fail "300000 bytes were sent, the report says '$*'"
set -- $(awk '$2 == "tcpserver" { print $3, $4, $6, $7, $8 }' report)
[ $# = 5 ] && [ "$2" -ge 300000 ] && [ "$2" -le 300002 ] && [ "$1" -le 2 ] || fail "300000 bytes were received, the report says '$*'"
# The two ends are each other's.
expect "^[0-9:]{8} tcpclient .* $5 <-> $3\$" 'the other end'
