# SPDX-License-Identifier: GPL-2.0-or-later
# A function that looks at target variables is copied for each probe; copies that came out the same are one again, and then
# so are the functions and handlers that call them.
set -u
. "$SRCDIR/show.inc"
[ -n "$STAP_RELEASE" ] || { echo "no kernel headers are installed"; exit 77; }
c_code() { "$STAP" -r "$STAP_RELEASE" -w "$@" -p3 -e "$script"; }
definitions() { c_code "$@" | grep -c "^stap_long f_\|^static stap_long f_.*[^;]\$"; }
script='function position() { return $count }
function twice() { return 2 * position() }
probe kernel.function("vfs_read"), kernel.function("vfs_write") { println(twice()) }'
both definitions
both count '^static void probe_'
