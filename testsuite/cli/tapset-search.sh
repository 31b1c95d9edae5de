# SPDX-License-Identifier: GPL-2.0-or-later
# Folders of a library: the most specific file of a name wins, by kernel version and by architecture; an -I comes before the
# library and later -I after it; what is private in one file is not seen in another, nor clashes with it.
set -u
release=$(uname -r)
version=${release%%-*}
short=${version%.*}
file() { mkdir -p "$(dirname "$1")"; cat > "$1"; }
run() { "$STAP" --runtime=user "$@" 2>&1; }

file lib/where.stp <<< 'function where() { return "any" }'
file lib/plain.stp <<< 'function plain() { return "plain" }'
run -I lib -e 'probe oneshot { println(where(), " ", plain()) }'
file lib/x86_64/where.stp <<< 'function where() { return "architecture" }'
run -I lib -e 'probe oneshot { println(where(), " ", plain()) }'
file lib/$short/where.stp <<< 'function where() { return "short version" }'
run -I lib -e 'probe oneshot { println(where(), " ", plain()) }'
file lib/$version/where.stp <<< 'function where() { return "version" }'
run -I lib -e 'probe oneshot { println(where(), " ", plain()) }'
file lib/$version/x86_64/where.stp <<< 'function where() { return "version and architecture" }'
run -I lib -e 'probe oneshot { println(where(), " ", plain()) }'
file lib/9.9/where.stp <<< 'function where() { return "another version" }'
run -I lib -e 'probe oneshot { println(where()) }'

file first/both.stp <<< 'function both() { return "first" }'
file second/both2.stp <<< 'function both() { return "second" }'
run -I first -I second -e 'probe oneshot { println(both()) }'
run -I second -I first -e 'probe oneshot { println(both()) }'

file scope/one.stp <<'END'
private global n = 1
private function step() { return n++ }
function one() { return step() }
END
file scope/two.stp <<'END'
private global n = 100
private function step() { return n += 100 }
function two() { return step() }
END
run -I scope -e 'global n = "mine" function step() { return n . "!" } probe oneshot { println(one(), " ", two(), " ", one(), " ", two(), " ", step()) }'
run -I scope -e 'probe oneshot { println(one(), step()) }'
run -I scope -e 'probe oneshot { println(one(), n); n = 5 }'
run -I nowhere -e 'probe oneshot { println("never") }'
exit 0
