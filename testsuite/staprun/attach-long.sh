# SPDX-License-Identifier: GPL-2.0-or-later
# Attaching shows how far it is, and ends soon when somebody no longer wants it: by ^C with the end probes, or by a kill.
. "$SRCDIR/guest.inc"
mount -t debugfs none /sys/kernel/debug 2>/dev/null
attached() { grep -c . /sys/kernel/debug/kprobes/list; }

# Some probes are attached and more are to come.
some() { [ "$(attached)" -ge 20 ]; }

# end SIGNAL STATUS: end the attaching by the signal; most of the probes never come
end() {
  rm -f out
  "$STAPRUN" "$MODULE" >out 2>err &
  pid=$!
  wait_for some
  kill "-$1" $pid
  most=$(attached)
  while [ -d "/proc/$pid" ] && [ "$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null)" != Z ]; do
    now=$(attached)
    [ "$now" -le "$most" ] || most=$now
  done
  wait $pid 2>/dev/null
  status=$?
  [ $status = "$2" ] || fail "$1: exit status $status"
  [ "$most" -lt 200 ] || fail "$1: $most probes were attached all the same"
  [ "$(attached)" = 0 ] || fail "$1: $(attached) probes are left"
}

end INT 0
[ "$(tr '\n' ' ' <out)" = "begin end " ] || fail "^C: printed $(cat out)"
end KILL 137
"$STAPRUN" -d "$name" || fail "the module can't be unloaded"

# To the end once, for the progress: the script takes as long as its command.
"$STAPRUN" -c true "$MODULE" >out 2>err || fail "exit status $?"
[ "$(tr '\n' ' ' <out)" = "begin end " ] || fail "printed $(cat out)"
sed -n 's/^staprun: attached \([0-9]*\) of \([0-9]*\) probes$/\1 \2/p' err >progress
awk '$1 < before || $1 > $2 || $2 < 200 { exit 1 } { before = $1 }' progress || fail "$(cat progress)"
