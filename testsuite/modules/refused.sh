# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that a module itself says must not be probed are refused with the reason; those of its initialisation are not.
. "$SRCDIR/module.inc"
list() { "$STAP" -r "$STAP_RELEASE" "${@:2}" -l "module(\"$PWD/work.ko\").function(\"$1\")" 2>&1 | sed 's/@.*work\.c:[0-9]*//'; }
list unprobed | grep '^error\|note'
list uninstrumented | grep '^error\|note'
list '*' -v | grep -v '^Pass\|"leaf\|"tally'
"$STAP" -r "$STAP_RELEASE" -L "module(\"$PWD/work.ko\").function(\"work_s*\").exported" | sed 's/@.*work\.c:[0-9]*//'
