#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# User stacks of programs that know their own chain of calls: linked dynamically and statically, stripped with what is left
# of the symbols in .gnu_debugdata, in C++; through generated code, the kernel's code in the process, and signal frames:
# of a fault, nested ones, and handlers that have a stack of their own. What the script itself sees of them is the same.
set -eu
cp chain chain-stripped
strip chain-stripped
if command -v xz > xz.path; then
  cp chain chain-mini
  nm -D --format=posix --defined-only chain | awk '{ print $1 }' | sort > dynamic
  nm --format=posix --defined-only chain | awk '$2 == "T" || $2 == "t" { print $1 }' | sort > functions
  comm -13 dynamic functions > wanted
  objcopy --only-keep-debug chain debug
  objcopy -S --keep-symbols=wanted debug mini
  xz mini
  strip chain-mini
  objcopy --add-section .gnu_debugdata=mini.xz chain-mini
fi
cat > load <<'END'
./chain clock 1 > told.clock # the first, as the script looks at so many ticks only
./chain plain > told.plain
for way in signal fault nested altstack nested-altstack altstack-second autodisarm; do ./chain $way > told.$way; done
./chain generated > told.generated
./chain-static plain > told.static
./chain-cxx plain > told.cxx
./chain-stripped plain > told.stripped
[ ! -e chain-mini ] || ./chain-mini plain > told.mini
END
symbols=$(for program in ./chain*; do [ ! -x "$program" ] || echo "--symbols $program"; done)
"$STAPRUN" $symbols --ldd -c 'sh load' "$MODULE" > out 2> err || { echo "staprun ended with status $?: $(cat err)"; exit 1; }
exec perl "$SRCDIR/user.pl" out told.*
