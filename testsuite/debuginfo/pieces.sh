# SPDX-License-Identifier: GPL-2.0-or-later
# What is split between registers is put together again, and a pointer that was optimised away still leads to its object.
unset DEBUGINFOD_URLS
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
cp "$SRCDIR/pieces.c" . && gcc -g -O2 -c pieces.c -o pieces.ko || exit 1
point="module(\"$PWD/pieces.ko\").function"
show() { # show SUFFIX VARIABLE...: what is read for each
  suffix=$1
  shift
  for variable; do
    echo "$variable"
    "$STAP" -p3 -e "probe $point$suffix { println($variable) }" 2>&1 |
      sed -nE "s,.*(stap_(kread|reg)\\(.*),\\1,p; s,^.*(stap_str_tmp|error\\[),\\1,p"
  done
}
show '("take")' '$before' '$p->first' '$p->second' '$p->third' '$p->fourth' '$after' '$p' '&$p->first'
show '("make").return' '$return->first' '$return->fourth'
show '("sum").inline' '$q->first' '$q->second' '$q'
