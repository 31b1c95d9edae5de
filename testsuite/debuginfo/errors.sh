# SPDX-License-Identifier: GPL-2.0-or-later
# What can't be found is named, with what is there instead.
. "$SRCDIR/object.inc"
try() { "$STAP" -p2 -e "$1" 2>&1 | grep -E '^error|note:|hint:' | sed "s|$PWD/||g"; }
try "probe $point(\"tuoch\") { }"
try "probe $point(\"touch\") { println(\$m) }"
try "probe $point(\"touch\") { println(\$o->nme) }"
try "probe $point(\"touch\") { println(\$n->x) }"
try "probe $point(\"touch\") { println(\$o->pairs[4]->x) }"
try "probe $point(\"touch\") { println(\$o->link[0]) }"
try "probe $point(\"touch\") { println(\$return) }"
try "probe $point(\"nothing\").return { println(\$return) }"
try "probe $point(\"twice\").return { }"
try "probe $point(\"touch@\") { }"
try "probe module(\"no_such_module\").function(\"f\") { }"
