#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Standard output and error pass through separately and byte for byte, and the exit status is the command's.
. "$(dirname "$0")/guest.inc"

head -c 5000000 /dev/urandom > "$scratch/out"
head -c 1000000 /dev/urandom > "$scratch/err"
cd "$scratch"
"$STAP_VM" --run sh -c 'cat out & cat err >&2; wait; exit 7' > got.out 2> got.err
expect_status 7 $?
cmp out got.out || fail "standard output differs"
cmp err got.err || fail "standard error differs"
