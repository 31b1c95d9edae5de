# SPDX-License-Identifier: GPL-2.0-or-later
# From the handler to the event: what a record tells of its probe, format and arguments; what does not fit is refused.
. "$(dirname "$0")/runtime.inc"
needed=("$top"/staprun/{reader,decode,render_text,output,symbols,kallsyms,kernel_source,source,space,spaces,kept,kept_programs,dwarf_library}.c)
$CC $flags $sanitize -o "$work/decode" "$SRCDIR/decode.c" "${needed[@]}" "$lib/libhost.a" $staprun_libraries ||
    fail "decode.c does not compile"
"$work/decode"
