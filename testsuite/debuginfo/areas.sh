# SPDX-License-Identifier: GPL-2.0-or-later
# Functions in the sections that can't be probed are left out or named with the reason, the same with an index and without.
unset DEBUGINFOD_URLS
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
export XDG_CACHE_HOME=$PWD/cache
cat > areas.c << 'C'
int total;
#define AREA(name) __attribute__((section(name), noipa))
static inline __attribute__((always_inline)) void step(int n) { total += n; total ^= n; }
static inline __attribute__((always_inline)) void begin(int n) { total -= n; }
AREA(".init.text") void in_init(int n) { begin(n); step(n); }
void in_init_too(int n) __attribute__((alias("in_init")));
AREA(".noinstr.text") void in_noinstr(int n) { step(n); }
AREA(".kprobes.text") void in_kprobes(int n) { step(n); }
AREA(".entry.text") void in_entry(int n) { step(n); }
AREA(".exit.text") void leave(int n) { total = n; }
__attribute__((noipa)) void work(int n) { step(n); }
void work_too(int n) __attribute__((alias("work")));
C
look() {  # look FILE: what is found in it
  local point="module(\"$PWD/$1\").function"
  {
    "$STAP" -l "$point(\"*\")"
    "$STAP" -l "$point(\"*\").inline"
    "$STAP" -v -l "$point(\"*\")" 2>&1 | grep 'left out'
    for name in 'in_*' leave work_too begin; do
      "$STAP" -p2 -e "probe $point(\"$name\") { }" 2>&1 | grep -E '^error|note:|hint:|^module' | sed 's| /\*.*||'
    done
  } | sed "s|$PWD/||g; s|${1%.ko}|FILE|g"
}
# The second one has more debuginfo than what is read without an index.
mv areas.c small.c
{ cat small.c; for ((i = 0; i < 4000; i++)); do echo "struct s$i { int a, b; }; struct s$i v$i;"; done; } > indexed.c
sed -i '1i #line 1 "areas.c"' small.c indexed.c
for file in small indexed; do
  gcc -g -O2 -Wl,--build-id -c $file.c -o $file.o && ld -r --build-id $file.o -o $file.ko || exit 1
  look $file.ko > $file.found
done
echo "index files: $(ls cache/stap/index | grep -vc lock)"
cat small.found
diff small.found indexed.found && echo "same from the index"
