# SPDX-License-Identifier: GPL-2.0-or-later
# From the handler to the event: what a record tells of its probe, format and arguments; what does not fit is refused.
. "$(dirname "$0")/runtime.inc"
$CC $flags $sanitize -o "$work/decode" "$SRCDIR/decode.c" "$top"/staprun/{reader,decode,render_text,output}.c "$lib/libhost.a" ||
    fail "decode.c does not compile"
"$work/decode"
