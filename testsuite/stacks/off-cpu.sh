#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# off-cpu.c sleeps 30 times in each of two functions, which keep no frame pointers. The first waits may come before the program's
# mappings are known; and it may be made to wait in its way to sleep.
"$STAPRUN" -c ./off-cpu "$MODULE" > out 2> err || { echo "staprun ended with status $?: $(cat err)"; exit 1; }
for name in one other; do
  waits=$(grep -cx "$name" out)
  [ "$waits" -ge 27 ] && [ "$waits" -le 60 ] || { echo "$name waited $waits times"; sort out | uniq -c; exit 1; }
done
[ "$(sort -u out | wc -l)" = 2 ] || { echo "others wait: $(sort out | uniq -c)"; exit 1; }
