# SPDX-License-Identifier: GPL-2.0-or-later
# What can't be read at a place says where it can be, and floating-point numbers that they are such.
unset DEBUGINFOD_URLS
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
cp "$SRCDIR/gone.c" . && gcc -g -O2 gone.c -o gone || exit 1
stap() { "$STAP" -r "$STAP_RELEASE" -p2 -e "probe process(\"./gone\").$1 { println($2) }" 2>&1 | sed "s|$PWD/||" | grep -E '^error|hint: (it can|@)'; }
# Where the function's last line begins, nothing holds its argument any more.
stap 'statement("work@gone.c:12")' '$n' || echo "it is there"
stap 'statement("work@gone.c:15")' '$n'
stap 'function("work")' '$p->ratio'
stap 'function("work")' '$p$, @uderef(8, &$p->ratio)' || echo "its bits are there"
