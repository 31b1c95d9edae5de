# SPDX-License-Identifier: GPL-2.0-or-later
# Probes with the same handler share one C function; a handler at another place, or with other variables, is another.
set -u
. "$SRCDIR/show.inc"
handlers() { c_code "$@" | grep -c '^static void probe_'; }
script='global n probe timer.s(1), timer.s(2), begin { x = n++; if (x > 2) exit(); println(pp()) }
probe end { x = n++; if (x > 2) exit(); println(pp()) }'
both handlers
script='probe a = begin { name = "one" } probe b = end { name = "two" } probe a, b { println(name) }'
both handlers
script='probe begin if (on) { println(1) } global on = 1 probe end { on = 0 }'
both handlers
