# SPDX-License-Identifier: GPL-2.0-or-later
# A program is opened like the kernel: its functions with lines and addresses, its variables, and reads of its memory.
unset DEBUGINFOD_URLS
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
read_file() { "$BUILD/testsuite/debuginfo/file-functions" "$@"; }
cp "$SRCDIR/program.c" . || exit 1

# The lines are the source's, the addresses nm's, in a program at any address and in one at a fixed address.
lines() { grep -n '// function ' program.c | sed 's/^\([0-9]*\):.*function \(.*\)/\2 program.c:\1/' | sort; }
addresses() { nm "$1" | awk '$2 ~ /[tT]/ && $3 ~ /^(add|fill|main|on_stack)$/ { sub(/^0+/, "", $1); print $3, $1 }' | sort; }
for how in -pie -no-pie -shared; do
  gcc -g -O1 -fPIC $how program.c -o "program$how" || exit 1
  read_file "./program$how" > functions || exit 1
  cut -d' ' -f1,2 functions | sort > found && lines | cmp - found && echo "$how: $(wc -l < found) functions, lines agree"
  cut -d' ' -f1,3 functions | sort > found && addresses "program$how" | cmp - found && echo "$how: addresses agree"
done

# At the first instruction: rdi and rsi are DWARF's registers 5 and 4.
read_file ./program-pie add
read_file ./program-pie add p x
read_file ./program-pie add p next next y
echo "a local on the stack: $(read_file ./program-pie on_stack | grep -o '^local struct point: at @kregister(7) ')"
gcc -g -O0 program.c -o unoptimised && read_file ./unoptimised add

# A script's cast to a program's type reads the process, and nothing but a process has the program's variables.
cast="@cast(1, \"struct point\", \"$PWD/program-pie\")->next->y"
"$STAP" -p3 -e "probe begin { println($cast) }" | grep -oE 'stap_[uk]read\(c, .* [0-9], [0-9]'
"$STAP" -p2 -e "probe begin { println(@var(\"total\", \"$PWD/program-pie\")) }" 2>&1 | sed -n "s|$PWD/||; 1p"
# What has no debuginfo, is no file of code, is not there, or is no module.
strip program-pie -o stripped
for file in stripped program.c nothing; do
  "$STAP" -p2 -e "probe begin { println(@cast(1, \"struct point\", \"$PWD/$file\")->x) }" 2>&1 | sed -n "s|$PWD/||g; 1p; /hint/p"
done
"$STAP" -p2 -e "probe module(\"$PWD/program-pie\").function(\"add\") {}" 2>&1 | sed -n "s|$PWD/||g; 1p"
