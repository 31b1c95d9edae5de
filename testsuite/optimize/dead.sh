# SPDX-License-Identifier: GPL-2.0-or-later
# Branches that a literal rules out, what follows a return, expressions without effect, and functions that only these called go.
set -u
. "$SRCDIR/show.inc"
script='function only_there() { println("there"); return 1 }
function stays() { return 1; println("never") }
global n
probe begin { if (0) only_there(); while (1 > 2) println("loop"); n + 1; 0 ? only_there() : stays(); n = 1; next; println("after") }
probe begin { println(n) }'
functions() { "$STAP" --runtime=user -w "$@" -p2 -e "$script" | sed -n '/^# functions/,/^# probes/s/:.*//p' | xargs; }
both functions
both calls
both count stap_print
