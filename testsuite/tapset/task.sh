# SPDX-License-Identifier: GPL-2.0-or-later
# Functions about tasks, their files, memory, arguments and environment say what /proc says of a process that waits.
. "$SRCDIR/../staprun/guest.inc"
place=$(mktemp -d /tmp/task.XXXXXX)
trap 'rm -rf "$place"' EXIT
mkdir "$place/a directory"
mkfifo "$place/hold"
echo gone > "$place/deleted"
(cd "$place/a directory" && exec env -i STAP_FACTS=no STAP_FACT="two words" LAST=1 nice -n 5 /bin/bash -c \
  'trap "" 1; echo "$BASHPID" > ../pid; read line; echo "$line" > out' "the name" "first argument") \
  < "$place/hold" 5< "$place/deleted" 6< <(:) 7< /proc/self/ns/net &
exec 3> "$place/hold"
wait_for test -s "$place/pid"
rm "$place/deleted"
pid=$(cat "$place/pid")
wait_for grep -q '^State:.S' /proc/$pid/status

status() { awk -v name="$1:" '$1 == name { print $2 }' /proc/$pid/status; }
of_stat() { sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f$(($1 - 2)); }
parent_of() { awk '/^PPid/ { print $2 }' /proc/$1/status; }
chain_of() { p=$1; t=; while [ $p -gt 1 ]; do t="$(cat /proc/$p/comm)($p)${t:+->$t}"; p=$(parent_of $p); done; echo "$t"; }
names_of() { p=$1; t=; while [ $p -gt 0 ]; do t="$(cat /proc/$p/comm)${t:+=>$t}"; p=$(parent_of $p); done; echo "swapper/0=>$t"; }
{
  for name in Name Tgid Pid PPid; do echo "$name $(status $name)"; done
  awk '/^[UG]id:/ { sub(":", "", $1); print $1, $2, $3 }' /proc/$pid/status
  echo "FDSize $(status FDSize)"
  echo "open $(ls /proc/$pid/fd | wc -l)"
  echo "priority $(of_stat 18) nice $(of_stat 19)"
  echo "state 1"
  echo "start $(of_stat 22)"
  echo "processor $(of_stat 39)"
  echo "cwd $(readlink /proc/$pid/cwd)"
  echo "exe $(readlink /proc/$pid/exe)"
  for fd in 0 1 2 3 4 5 6 7; do [ ! -L /proc/$pid/fd/$fd ] || echo "fd $fd $(readlink /proc/$pid/fd/$fd)"; done
  echo "none 0 0"
  blocked=0x$(status SigBlk)
  echo "blocked $((blocked & 1)) $((blocked >> 9 & 1)) $((blocked >> 63 & 1))"
  echo "statm $(cat /proc/$pid/statm)"
  echo "names $(status Name) $(cat /proc/1/comm)"
  echo "nobody 0 [] 0 0"
  echo "kernel thread 0 [kthreadd] 0 1"
  echo "family 1 0 0"
  echo "reader staprun"
  echo "ancestry $(chain_of $pid)"
  echo "descent $(names_of $pid)"
  echo "name space $pid $pid $(status Uid) $(status Uid) $(status Gid) $(status Gid)"
  echo ready
  echo "cmdline $(tr '\0' ' ' < /proc/$pid/cmdline | sed 's/ $//')"
  echo "arguments [/bin/bash] [first argument] []"
  echo "some the name|first argument"
  echo "environment [two words] [] []"
  echo "current $(readlink /proc/$pid/exe) out"
  echo "inode out same"
  echo "path $place/a directory/out"
  echo "type kprobe []"
  echo "stack 16384 1"
  echo "user $(awk '/libc/ { n = split($6, part, "/"); print part[n]; exit }' /proc/$pid/maps)"
  echo "mine 1"
  echo "numbers 1 1 1 1 1 1 1 1 1"
} > expected

"$STAPRUN" -o facts -x $pid "$MODULE" 3>&- & script=$!
wait_for grep -q '^ready' facts
echo go >&3
exec 3>&-
wait $script || fail "staprun: $?"
wait
sed -i 's/^stack 32768 /stack 16384 /' facts # of a kernel with KASAN
diff expected facts
