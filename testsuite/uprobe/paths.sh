# SPDX-License-Identifier: GPL-2.0-or-later
# The ways to name a program: each leads to the same file, or to the one that a script is run by.
gcc -g -O2 "$SRCDIR/program.c" -o program && cp program copy && ln -s program link || exit 1
mkdir bin && cp program bin/program-of-path
printf '#!%s/program\n' "$PWD" > script && printf '#!/usr/bin/env program-of-path\n' > by-env && chmod +x script by-env
export PATH="$PWD/bin:$PATH"
list() { "$STAP" -l "$1" 2>&1 | sed "s|$PWD/||g; s|@$SRCDIR/|@|; s|process($$)|process(PID)|"; }
id=$(readelf -n bin/program-of-path | sed -n 's/.*Build ID: //p')
for name in ./program "$PWD/program" ./link './pro*' program-of-path "$id" ./script ./by-env; do
  list "process(\"$name\").function(\"add\")"
done
list "process($$).function(\"main\")"
"$STAP" -l 'process.function("add")' -c './program 1' | sed "s|$PWD/||g; s|@$SRCDIR/|@|"
list 'process("./program").library("libc.*").function("atoi").call' | sed 's|library("/[^"]*/|library("|; s|@[^"]*||'
list 'process("./program").function("adb")' | head -n 1
list 'process("./program").function("adb")' | grep hint
"$STAP" -L 'process("./program").function("add").return' | grep -o 'return .*'
