# SPDX-License-Identifier: GPL-2.0-or-later
# A function with the pragma stable is called in one place of a handler that names it several times: the others find its value kept.
set -u
. "$SRCDIR/show.inc"
script='probe begin { println(pid(), pid()); if (tid()) println(execname()); else println(execname()); for (i = 0; i < 2; i++) println(cpu()) }'
kept() { "$STAP" --runtime=user -w "$@" -p2 -e "$script" | sed -n 's/^  \(.*\)\.kept:.*/\1/p' | xargs; }
both kept
# A handler that names it once is what it was.
script='global n probe begin { if (pid() > 1) n = 1; println(n, execname()) }'
handler > one
handler -u | cmp - one
# Of these, one takes a parameter, one is not pure, one is not stable.
script='function a:long(x:long) %{ /* stable */ /* pure */ STAP_RETVALUE = STAP_ARG_x; %}
function b:long() %{ /* stable */ STAP_RETVALUE = 1; %}
function c:long() %{ /* pure */ STAP_RETVALUE = 1; %}
probe begin { println(a(1), a(1), b(), b(), c(), c()) }'
both kept -g
