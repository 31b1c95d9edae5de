#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# 25 short processes of one parent, and one that lives for more than the limit.
. "$SRCDIR/common.inc"

run 'echo shell $$
for i in $(seq 25); do /usr/bin/true; done
perl -e "\$0 = q(longer); select(undef, undef, undef, 2.5)"'
set -- $(awk -v id="$(told shell)" '$1 == "sh" && $2 == id && $4 == "true" { print $5, $6, $7 }' report)
[ $# = 3 ] && [ "$1" = 25 ] && [ "$2" -gt 0 ] && [ "$2" -lt 2000000 ] && [ "$3" -ge $(($2 * 25)) ] || fail "25 processes, the report says '$*'"
! grep -q longer report || fail 'a process that lived longer is there'
expect '^[0-9]+ of the [0-9]+ processes that ended$' 'the sum'
