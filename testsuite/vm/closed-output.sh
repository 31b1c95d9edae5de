#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A command whose output nobody reads any more gets SIGPIPE, as it would in a local pipeline.
. "$(dirname "$0")/guest.inc"

"$STAP_VM" --timeout 60 --run yes stap | head -n 2 > "$scratch/lines"
status=("${PIPESTATUS[@]}")
expect_status 141 "${status[0]}"
[ "$(cat "$scratch/lines")" = $'stap\nstap' ] || fail "not the first two lines"
