# SPDX-License-Identifier: GPL-2.0-or-later
# The ring and its reader together: exact accounting, merge order, hostile tails and hostile writers.
. "$(dirname "$0")/runtime.inc"
$CC $flags $sanitize -o "$work/ring" "$SRCDIR/ring.c" "$top/staprun/reader.c" "$lib/libhost.a" || fail "ring.c does not compile"
"$work/ring"
