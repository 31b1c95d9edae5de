# SPDX-License-Identifier: GPL-2.0-or-later
# What is split between registers is put together again, a pointer that was optimised away still leads to its object, and
# where a variable can't be read the message says where it can.
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
# A variable that has no value yet: where it has one, and that this is true.
line=$(grep -n 'half_of(half)' pieces.c | cut -d: -f1)
"$STAP" -p2 -e "probe $point(\"later\") { println(\$half) }" 2>&1 | grep 'can be read' | sed "s/module.*statement/module.statement/; s/:$line\"/:LINE\"/"
"$STAP" -p2 -e "probe module(\"$PWD/pieces.ko\").statement(\"later@pieces.c:$line\") { println(\$half) }" > /dev/null && echo "it can"
