# SPDX-License-Identifier: GPL-2.0-or-later
# What is kept of a kernel's BTF is made anew when it is damaged; builders at once agree.
. "$SRCDIR/kernel.inc"
without_debuginfo
list() { stap -L 'kernel.function("vfs_*")' > "$1" || echo "failed: $1"; }
list first
kept=$(echo "$cache"/btf/*)
cp "$kept" good
spoil() { # spoil OFFSET: one byte of it
  printf '\125' | dd of="$kept" bs=1 seek="$1" conv=notrunc status=none
}
size=$(stat -c %s "$kept")
for offset in 0 9 30 5000 $((size / 2)) $((size - 1)); do
  spoil "$offset"
  list again
  cmp first again && cmp good "$kept" && echo "made anew"
done
truncate -s 1000 "$kept"
list again
cmp first again && cmp good "$kept" && echo "made anew"
rm "$kept"
list one &
list two
wait
cmp one two && cmp good "$kept" && echo "left: $(ls "$cache/btf" | wc -l)"
