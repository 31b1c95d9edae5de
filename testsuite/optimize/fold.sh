# SPDX-License-Identifier: GPL-2.0-or-later
# Operators on literals are computed here, as the run time would: the code has the results.
set -u
. "$SRCDIR/show.inc"
script='global n
probe begin { n = 2 * 3 + (1 << 65) - -(7 / 2); println("ab" . "cd", 5 > 4 ? "more" : "less", "a" < "b" && !0) }
probe begin { println(n) }'
both calls
handler | grep -c 'g_n = 11;'
# A division by 0 stays what it is: an error at run time.
script='probe begin { println(1 / 0) }'
both calls
