#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each loaded script has its file directly in /proc, so that no two modules have to agree on a directory; it goes with the module.
. "$SRCDIR/../staprun/guest.inc"

files() { ls -l /proc | sed -n 's/^\(-[^ ]*\) .* \([^ ]*stap[^ ]*\)$/\1 \2/p'; }

"$STAPRUN" -R "$MODULE" >out 2>&1 &
pid=$!
wait_for grep -q started out
insmod "$MODULE" || fail "the module does not load"
[ "$(files | wc -l)" = 2 ] || fail "two scripts are loaded; /proc has: $(files)"
files | grep -qx -- "-rw------- stap_$name" || fail "no stap_$name: $(files)"
rmmod "$name"
kill -INT $pid
wait $pid
[ -z "$(files)" ] || fail "no script is loaded; /proc has: $(files)"
