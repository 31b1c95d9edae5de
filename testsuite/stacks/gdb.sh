#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every stack is the one that gdb sees of the same process at the same place: by address, and by name.
set -eu
command -v gdb > /dev/null || { echo "gdb is not installed"; exit 77; }
cat > ways <<'END'
place plain
place aligned
place noreturn
place sort
place altstack
place fault
place thread
place exit
place library
place plt
place constructor
place-static-pie thread
place-static sort
place-debug-frame aligned
place-plain altstack
place-cxx thunk
place-cxx catch
place-cxx destructor
place-cxx terminate
place-cxx walk
place-cxx sort
place-cxx function
place-clang aligned
place-clang-cxx terminate
END
cat > load <<'END'
# The thread that waits in pause(2), whose number is 34; bounded.
waiting_thread() {
  tries=0
  while [ $tries -lt 1000 ]; do
    for task in /proc/$1/task/*; do
      case $(cat $task/syscall) in 34\ *) echo "${task##*/}"; return ;; esac
    done
    tries=$((tries + 1))
  done
  return 1
}
pids=
while read -r name way; do
  [ -e $name ] || continue
  ./$name $way & pid=$!
  pids="$pids $pid"
  echo "$(waiting_thread $pid) $pid $name $way" >> waiting
done < ways
gdb -nx -iex 'set debuginfod enabled off' -batch -x "$1" > gdb.out 2> gdb.err
kill -KILL $pids
END
symbols=$(for program in ./place*; do [ ! -x "$program" ] || echo "--symbols $program"; done)
"$STAPRUN" $symbols --ldd -c "sh load $SRCDIR/gdb.py" "$MODULE" > out 2> err || { echo "staprun ended with status $?: $(cat err)"; exit 1; }
exec perl "$SRCDIR/gdb.pl" out gdb.out waiting
