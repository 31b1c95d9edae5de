# SPDX-License-Identifier: GPL-2.0-or-later
# The index of a kernel's DWARF: built once, by one of several builders; a damaged one is built again, wherever the damage is.
. "$SRCDIR/kernel.inc"
need_debuginfo
list() { stap -l 'kernel.function("vfs_*")' > "$1" && stap -L 'kernel.function("vfs_read").call' >> "$1" || echo "failed: $1"; }
list first
kept=$(ls "$cache"/index/* | grep -v lock)
cp "$kept" good
echo "functions: $(wc -l < first)" | sed 's/[0-9][0-9]*$/N/'
list again
cmp first again && echo "same from the index"
spoil() { printf '\125' | dd of="$kept" bs=1 seek="$1" conv=notrunc status=none; }
size=$(stat -c %s "$kept")
for place in 'spoil 9' 'spoil 70' "spoil $((size - 1))" 'truncate -s 100 "$kept"' 'truncate -s -4 "$kept"' ': > "$kept"'; do
  eval "$place"
  list again
  cmp first again && cmp good "$kept" && echo "built again"
done
# Every block of the middle, where names and tables are: what a look-up does not read may stay as it is.
for ((at = 200; at < size; at += 65536)); do spoil "$at"; done
list again
cmp first again && cmp good "$kept" && echo "built again"
rm "$kept"
list one &
list two &
list three
wait
cmp one two && cmp two three && cmp good "$kept" && echo "left: $(ls "$cache/index" | grep -v lock | wc -l)"
