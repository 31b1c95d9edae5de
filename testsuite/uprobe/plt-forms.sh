# SPDX-License-Identifier: GPL-2.0-or-later
# Linkage tables of every form that linkers make have the entries that objdump finds; a program without one is told so.
command -v objdump > /dev/null || { echo "no objdump"; exit 77; }
compare() { # FORM OPTIONS...
  gcc -O1 "${@:2}" "$SRCDIR/program.c" -o "$1" || { echo "$1: does not compile"; return; }
  objdump -d "$1" | sed -n 's/^[0-9a-f]* <\(.*\)@plt>:$/\1/p' | sort -u > "$1.truth"
  timeout 60 "$STAP" -l "process(\"./$1\").plt" 2> "$1.err" | sed 's/.*plt("\(.*\)").*/\1/' | sort -u > "$1.seen"
  [ -s "$1.truth" ] || echo "$1: objdump knows no entry"
  cmp -s "$1.truth" "$1.seen" && echo "$1: the same" || diff "$1.truth" "$1.seen"
}
compare lazy -Wl,-z,lazy -no-pie
compare lazy-pie -Wl,-z,lazy -pie
compare now -Wl,-z,now -pie
compare ibt -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
compare ibt-now -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,now
gcc -O1 -no-pie -fno-plt -Wl,-z,now "$SRCDIR/program.c" -o without
gcc -O1 -static "$SRCDIR/program.c" -o static
timeout 60 "$STAP" -p2 -e 'probe process("./without").plt("strlen") {}' 2>&1 | grep -E '^error|hint|note' | sed "s|$PWD/||"
timeout 60 "$STAP" -p2 -e 'probe process("./static").plt("strlen") {}' 2>&1 | grep -E '^error|hint|note' | sed "s|$PWD/||"
timeout 60 "$STAP" -p2 -e 'probe process("./lazy").plt("setjmpp") {}' 2>&1 | grep -E '^error|hint|note' | sed "s|$PWD/||"
