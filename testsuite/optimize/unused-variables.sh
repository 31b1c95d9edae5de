# SPDX-License-Identifier: GPL-2.0-or-later
# Variables that nothing uses take no room (what is printed at the end is in use), and the documented warnings are the same with and without -u.
set -u
. "$SRCDIR/show.inc"
script='global never_used, only_dead, used
function f(x) { unused = 1; return x }
probe begin { spare = 2; if (0) only_dead = 1; used = f(never_set); used + 1 }
probe begin { println(used, only_read + 0) }
global only_read'
variables() { "$STAP" --runtime=user -w "$@" -p2 -e "$script" | grep -E '^(  )?[a-z_]+:[a-z]+' | grep -v ' (' | xargs; }
both variables
warnings() { "$STAP" --runtime=user "$@" -p2 -e "$script" 2>&1 >/dev/null | grep WARNING; }
warnings
warnings -u > again
warnings | cmp - again
