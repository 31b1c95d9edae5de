#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With a mask of two CPUs packets spread over both, and none is missing.
. "$SRCDIR/common.inc"

. "$SRCDIR/traffic.inc"

traffic "RPS_MASK=3" '$1 == "rps" { n += $4 } END { print n + 0 }'
within 2 "$(awk '$1 == "rps" { n += $4 } END { print n }' report)" "$counted" "packets"
for cpu in 0 1; do
  share=$(awk -v cpu=$cpu '$1 == "rps" && $3 == cpu { n += $4 } END { print n + 0 }' report)
  [ "$share" -gt $((counted / 5)) ] || fail "of $counted packets only $share were queued for CPU $cpu"
done
