# SPDX-License-Identifier: GPL-2.0-or-later
# A chain of concatenations is one step, each part copied once.
set -u
. "$SRCDIR/show.inc"
script='global a = "1", b = "2" probe begin { println(a . b . a . "-" . b); println(a . b); b = a; a = b }'
both count 'stap_concat_list(c'
both count 'stap_concat(c'
