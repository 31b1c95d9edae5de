#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Packets through a veth pair are as many as the interface counts.
. "$SRCDIR/common.inc"

. "$SRCDIR/traffic.inc"

traffic "RPS_MASK=0" '{ n += $1 } END { print n + 0 }'
within 2 "$(awk '{ n += $1 } END { print n }' report)" "$counted" "packets"
within 2 "$(awk '{ n += $3 } END { print n }' report)" "$(frame_bytes 0)" "bytes"
