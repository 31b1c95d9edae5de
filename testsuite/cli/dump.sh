# SPDX-License-Identifier: GPL-2.0-or-later
# --dump-probe-types, --dump-probe-aliases and --dump-functions list what scripts can use, a library of one's own included.
set -u
mkdir -p library
cat > library/shown.stp <<'END'
probe zz.first = begin, end { }
probe zz.second += begin? { }
function zz_text:string(a, b:string) { return a . b }
function zz_nothing(a) { println(a) }
private function zz_private(a) { }
function __zz_inner() { return 1 }
function zz_two() { return 1 }
function zz_two(a) { return a }
function zz_safe:long() %{ /* unprivileged */ /* pure */ /* abi */ STAP_RETVALUE = 1; %}
END
"$STAP" --dump-probe-types | grep -E '^(begin|timer\.s|never)'
"$STAP" -I library --dump-probe-aliases | grep zz
"$STAP" -I library --dump-functions | grep zz
"$STAP" --dump-functions | grep '^exit'
