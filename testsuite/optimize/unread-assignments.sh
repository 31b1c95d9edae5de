# SPDX-License-Identifier: GPL-2.0-or-later
# What is assigned to a local that nothing reads is evaluated for its effects only, until nothing more is found.
set -u
. "$SRCDIR/show.inc"
script='function noisy() { println("noise"); return 1 }
global n
probe begin { a = n * 3; b = a / 2; b += 1; c = noisy(); c++; s = "x" . "y"; s .= sprint(n); n = 1 }
probe begin { println(n) }'
both calls
locals() { "$STAP" --runtime=user -w "$@" -p2 -e "$script" | sed -n '/^# probes/,$s/^  \(.*:.*\)/\1/p' | xargs; }
both locals
