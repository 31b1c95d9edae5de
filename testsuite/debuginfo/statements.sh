# SPDX-License-Identifier: GPL-2.0-or-later
# Statements, labels and addresses: the lines that are found, where their code begins as binutils have it, and what is said of the
# others. The same with an index and without one.
unset DEBUGINFOD_URLS
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
command -v objdump > /dev/null || { echo "no objdump"; exit 77; }
export XDG_CACHE_HOME=$PWD/cache
cp "$SRCDIR/statements.c" .
{ for ((i = 0; i < 4000; i++)); do echo "struct s$i { int a, b; }; struct s$i v$i;"; done; echo '#line 1 "statements.c"'; cat statements.c; } > more.c
line() { grep -n "// line $1\$" statements.c | cut -d: -f1; }
for file in small indexed; do
  { [ $file = small ] && cat statements.c || cat more.c; } > source.c
  sed -i '1i #line 1 "statements.c"' source.c
  gcc -g -O2 -c source.c -o $file.o && ld -r --build-id $file.o -o $file.ko || exit 1
done
# Where the code of a line begins: the first row of a statement in the line table.
first_row() { objdump --dwarf=decodedline "$1" | awk -v line="$2" '$1 == "statements.c" && $2 == line && $NF == "x" { print $3 }' | sort | head -n 1; }
look() {  # look FILE
  local point="module(\"$PWD/$1\")"
  for pattern in "work@statements.c:$(line after-loop)" "work@statements.c:$(line after-loop),$(line at-out)-400" \
      "work@statements.c+6" "*@statements.c:$(line in-copy)" "tally@statements.c:*" "work@statements.c" "leave@*:*"; do
    echo "$pattern:"
    "$STAP" -l "$point.statement(\"$pattern\")"
  done
  for number in 18 "$(line after-loop)" "$(line at-out)"; do
    offset=$("$STAP" -p3 -e "probe $point.statement(\"work@statements.c:$number\") { println(1) }" |
      sed -n 's/.*\.section = ".text", \.offset = \([0-9a-fx]*\).*/\1/p')
    [ "$((offset))" = "$(($(first_row "$1" "$number")))" ] && echo "line $number is where objdump has it"
  done
  "$STAP" -l "$point.function(\"*\").label(\"o*\")"
  "$STAP" -L "$point.statement(\"work@statements.c:$(line after-loop)\")"
  "$STAP" -l "$point.statement(\"work@statements.c:1-$(line after-loop)\").nearest" | wc -l
  "$STAP" -l "$point.statement(\"work@statements.c:$(($(line at-out) - 1)),4000\").nearest"
  # By address: that of a line, and one byte further.
  address=$(nm "$1" | sed -n 's/^0*\([0-9a-f]\{1,\}\) T work$/0x\1/p')
  "$STAP" -l "$point.statement($address)"
  for bad in "statement($((address + 1)))" "statement(0x7fffffff)" "statement(\"work@statements.c:$(($(line at-out) - 1))\")" "statement(\"work@statements.c+1\")" \
      "statement(\"nowork@statements.c:1\")" "statement(\"work@other.c:1\")" "statement(\"work@statements.c:3,\")" "statement(\"work@statements.c:9-3\")" \
      "statement(\"start@statements.c:$(line in-start)\")" "function(\"work\").label(\"oot\")" "function(\"leave\").label(\"x\")"; do
    "$STAP" -p2 -e "probe $point.$bad {}" 2>&1 | grep -E '^error|note:|hint:'
  done
}
look small.ko 2>&1 | sed "s|$PWD/||g; s|small|FILE|g" | tee small.found
look indexed.ko 2>&1 | sed "s|$PWD/||g; s|indexed|FILE|g" > indexed.found
echo "index files: $(ls cache/stap/index | grep -vc lock)"
diff small.found indexed.found && echo "same from the index"
