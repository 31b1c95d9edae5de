#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of mkdir with known arguments are there, in order, with their results, and no other calls.
. "$SRCDIR/common.inc"

run "exec perl -e 'mkdir q(known), 0700; mkdir q(known), 0711; rmdir q(known)'"
sed 's/([0-9]*)/(N)/; s/<[0-9]* us>/<T us>/' report >found
cat >expected <<'END'
perl(N) mkdir("known", 0700)
perl(N) mkdir = 0 <T us>
perl(N) mkdir("known", 0711)
perl(N) mkdir = -17 (EEXIST) <T us>
perl(N) rmdir("known")
perl(N) rmdir = 0 <T us>
END
cmp found expected || fail "other calls than were made: $(diff expected found)"
