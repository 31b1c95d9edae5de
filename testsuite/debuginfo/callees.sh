# SPDX-License-Identifier: GPL-2.0-or-later
# What functions call: found by call sites, told apart by what the calls return to, as objdump shows the calls.
unset DEBUGINFOD_URLS
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
command -v objdump > /dev/null || { echo "no objdump"; exit 77; }
cp "$SRCDIR/callees.c" . && gcc -g -O2 -c callees.c -o callees.ko || exit 1
point="module(\"$PWD/callees.ko\").function"
for suffix in 'callee("*")' 'callee("*").call' 'callee("*").return' 'callee("leaf")' 'callees' 'callees(2)' 'callees(3)'; do
  echo "top $suffix"
  "$STAP" -l "$point(\"top\").$suffix" 2>&1 | sed "s|$PWD/||" | grep -vE '^ +(-->|[0-9]* \|)'
done
"$STAP" -L "$point(\"middle\").callee(\"l*\")"
for bad in 'function("top").callee("lef")' 'function("leaf").callee("*")' 'function("jumps").callee("*")' 'function("tpo").callee("*")' \
    'function("top").callees(0)' 'function("top").callees(99)'; do
  "$STAP" -p2 -e "probe module(\"$PWD/callees.ko\").$bad {}" 2>&1 | grep -E '^error|note:|hint:' | sed "s|$PWD/||"
done
# The addresses that are compared with are those behind middle's two calls of leaf: the script's symbols of the module.
symbols() { "$STAP" -p3 "$@" | sed -n '/^static struct stap_symbol symbols/,/^};/p' | grep -oE '[0-9a-fx]+ull' | sort; }
symbols -e "probe $point(\"middle\").callee(\"leaf\") { println(1) }" > found
objdump -dr --no-show-raw-insn callees.ko |
  awk '/^[0-9a-f]+ </ { name = $2 } behind && /^ / && !/R_X86/ { sub(":", "", $1); print $1; behind = 0 }
       name == "<middle>:" && /call/ { behind = 1 }' |
  while read -r address; do printf '%dull\n' "0x$address"; done | sort > calls
diff found calls && echo "$(wc -l < calls) calls, as objdump has them"
echo "calls of two levels: $(symbols -e "probe $point(\"top\").callees(2) { println(1) }" | wc -l)"
echo "not compared: $(symbols -DSTAP_CALLEE_MATCHALL -e "probe $point(\"top\").callees(2) { println(1) }" | wc -l)"
# More than can be told apart.
{ for ((i = 0; i < 2000; i++)); do echo "__attribute__((noipa)) void f$i(void) { __asm__(\"nop\"); }"; done
  echo "void all(void) {"; for ((i = 0; i < 2000; i++)); do echo "f$i();"; done; echo "__asm__(\"nop\"); }"; } > many.c
gcc -g -O1 -c many.c -o many.ko && "$STAP" -p2 -e "probe module(\"$PWD/many.ko\").function(\"all\").callees {}" 2>&1 | grep -E '^error|hint:'
