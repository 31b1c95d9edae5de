#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Without steering every packet stays on the CPU that sent it, and all that the interface counts are seen.
. "$SRCDIR/common.inc"

. "$SRCDIR/traffic.inc"

traffic "RPS_MASK=0" '$1 == "cpu" { n += $3 } END { print n + 0 }'
within 2 "$(awk '$1 == "cpu" { n += $3 } END { print n }' report)" "$counted" "packets"
# What is queued has lost its Ethernet header, which the interface counts: 14 bytes.
within 2 "$(awk '$1 == "cpu" { n += $5 } END { print n / 8 }' report)" "$(frame_bytes 14)" "bytes"
within 1 "$(awk '$1 == "cpu" && $2 == "0:" { n += $3 } END { print n }' report)" "$counted" "packets sent on CPU 0"
within 1 "$(awk '$1 == "rps" && $3 == "0" { n += $4 } END { print n }' report)" "$counted" "packets queued for CPU 0"
