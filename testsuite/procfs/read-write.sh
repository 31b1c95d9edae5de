# SPDX-License-Identifier: GPL-2.0-or-later
# Several programs read and write a script's files; who may open them and what they are is the kernel's word.
. "$SRCDIR/../staprun/guest.inc"
"$STAPRUN" "$MODULE" >out 2>err &
pid=$!
answers() { cat /proc/stap_"$name".d/level; }
wait_for answers >/dev/null 2>&1
scratch=$PWD
cd /proc/stap_"$name".d || exit 1
echo first >level
cat level
printf 'no newline' >level
dd if=level bs=3 status=none # one text, in parts
printf 'a b' >command
printf 'before\0behind' >command
cat deep/er/file deep/er/other nothing
find . -type f -printf '%m %u %P\n' | sort -k3
{
  cat command && fail "a file without a read probe was read"
  : >nothing && fail "a file without a write probe was written"
  setpriv --reuid=65534 --regid=65534 --clear-groups cat level && fail "somebody else has read a file that is the owner's"
  setpriv --reuid=65534 --regid=65534 --clear-groups cat deep/er/other || fail "others can't read what they may"
  cat broken && fail "a read whose handler failed got a text"
} 2>"$scratch/refused"
cd "$scratch"
sed 's/^[^:]*: //; s/line [0-9]*: //' refused
kill -INT $pid
wait $pid || echo "staprun ended with status $?"
test -e /proc/stap_"$name".d && fail "the files are still there"
cat out
grep ERROR err
