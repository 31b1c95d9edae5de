#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is kept from the start has names when the output is read, though the program's file, its library's and the module are gone by then.
. "$SRCDIR/../staprun/guest.inc"
set -e
# has COUNT LINE FILE: that many such lines, at least
has() { [ "$(grep -cx "$2" "$3")" -ge "$1" ]; }
# All happens while staprun does not read: run OUTPUT OPTION...
run() {
  out=$1
  shift
  cp chain gone
  cp "$libc" library/
  modprobe dummy || { echo "there is no module dummy"; exit 77; }
  LD_LIBRARY_PATH=$PWD/library "$STAPRUN" "$@" "$MODULE" > "$out" 2> err & reader=$!
  touch "$out"
  wait_for has 1 ready "$out"
  kill -STOP $reader
  LD_LIBRARY_PATH=$PWD/library ./gone deleted > told
  rm library/*
  ip link add kept0 type dummy && ip link del kept0
  rmmod dummy
  kill -CONT $reader
  wait_for has 2 end "$out"
  kill -INT $reader
  wait $reader || { echo "staprun ended with status $?: $(cat err)"; exit 1; }
}
mkdir library
libc=$(ldd chain | sed -n 's/.* => \(.*libc\.so\.6\) .*/\1/p')
run without
grep -q ': leaf+' without && { echo "the program was deleted too late: $(cat without)"; exit 1; }
grep -q '\[dummy\]' without && { echo "the module was unloaded too late: $(cat without)"; exit 1; }

run with --symbols "$PWD/gone" --symbols dummy --ldd
names=$(sed -n '/^user/,/^end/s/^ 0x[0-9a-f]* : \([a-z_]*\)+.*/\1/p' with | tr '\n' ' ')
case $names in
  'getppid leaf wide recurse recurse recurse main __libc_start_call_main __libc_start_main'*' _start ') ;;
  *) echo "names of the program: $names"; cat with err; exit 1 ;;
esac
grep -q '^ 0x[0-9a-f]* : [a-z_]*+0x[0-9a-f]*/0x[0-9a-f]* \[dummy\]$' with || { echo "no name of the module:"; cat with err; exit 1; }
# The addresses are those that the program itself has told.
sed -n 's/^wide //p' told | while read -r address; do grep -q "^ $address : recurse+" with; done || { cat told with; exit 1; }
